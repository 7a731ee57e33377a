package dev.verbena.rdmacore.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.call.Libibverbs;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program that prints what a fork does to it, or why it cannot ask the library, and what a list
 * of devices says of that.
 */
final class StatusProgram {
  public static void main(String[] args) {
    try {
      Libibverbs.require("isForkInitialized");
      System.out.println(Fork.status());
    } catch (VerbsException e) {
      System.out.println(e.getMessage());
      System.out.println(new RdmacoreProvider().describe());
    }
  }

  /** Runs it in a JVM of its own; returns what it prints. */
  static String run(Map<String, String> environment, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(StatusProgram.class.getName());
    ProcessBuilder child = new ProcessBuilder(command).redirectErrorStream(true);
    child.environment().putAll(environment);
    Process process = child.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text;
  }

  private StatusProgram() {}
}
