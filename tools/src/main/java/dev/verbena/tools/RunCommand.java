package dev.verbena.tools;

import dev.verbena.tools.kit.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * {@code verbena run}, for the list of commands: the script bin/verbena handles it and replaces
 * itself with the program, which a Java command cannot do.
 */
@Command(
    name = "run",
    description =
        "Run a program that uses libibverbs, in C or Python, unchanged on the software device.")
final class RunCommand implements Callable<Integer> {
  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() {
    throw ToolException.usage(
        "only the script can do this: bin/verbena run " + String.join(" ", arguments));
  }
}
