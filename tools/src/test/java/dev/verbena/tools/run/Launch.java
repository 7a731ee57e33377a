package dev.verbena.tools.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs the scripts of a {@link SourceTree}, in its root. */
final class Launch {
  /** The JDK of this process, which the scripts are told to use. */
  static final String JDK = System.getProperty("java.home");

  private final SourceTree tree;

  Launch(SourceTree tree) {
    this.tree = tree;
  }

  /** What came of it. */
  record Run(int exitCode, String out, String err) {}

  /** Runs {@code verbena} to its end. */
  Run verbena(String... arguments) throws Exception {
    return verbena(Map.of(), arguments);
  }

  /** The same with more environment variables. */
  Run verbena(Map<String, String> environment, String... arguments) throws Exception {
    return run(builder(environment, arguments));
  }

  /** Runs another script of the tree to its end, with more environment variables. */
  Run script(String name, Map<String, String> environment, String... arguments) throws Exception {
    return run(builder(tree.root().resolve("bin", name), environment, arguments));
  }

  /** The same without an environment variable. */
  Run verbenaWithout(String variable, String... arguments) throws Exception {
    ProcessBuilder builder = builder(Map.of(), arguments);
    builder.environment().remove(variable);
    return run(builder);
  }

  /** The same as a user who may read the tree, and write nothing there. */
  Run verbenaOfAStranger(String... arguments) throws Exception {
    ProcessBuilder builder = builder(Map.of(), arguments);
    builder
        .command()
        .addAll(0, List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    return run(builder);
  }

  private Run run(ProcessBuilder builder) throws Exception {
    Path err = Files.createTempFile(tree.root(), "err", null);
    Process process = builder.redirectError(err.toFile()).start();
    process.getOutputStream().close();
    String out = process.inputReader().readAllAsString();
    int exitCode = process.waitFor();
    return new Run(exitCode, out, Files.readString(err));
  }

  /** Starts {@code verbena}; its errors go where ours do. */
  Process start(String... arguments) throws IOException {
    return builder(Map.of(), arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Without what the tests themselves may have been started with. */
  static ProcessBuilder clean(ProcessBuilder builder) {
    Map<String, String> variables = builder.environment();
    variables.keySet().removeIf(name -> name.startsWith("VERBENA_") || name.startsWith("LD_"));
    variables.put("JAVA_HOME", JDK);
    return builder;
  }

  private ProcessBuilder builder(Map<String, String> environment, String... arguments) {
    return builder(tree.verbena(), environment, arguments);
  }

  private ProcessBuilder builder(
      Path script, Map<String, String> environment, String... arguments) {
    // Named, because a file that was written just now cannot always be started (ETXTBSY).
    List<String> command = new ArrayList<>(List.of("bash", script.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = clean(new ProcessBuilder(command)).directory(tree.root().toFile());
    builder.environment().putAll(environment);
    return builder;
  }
}
