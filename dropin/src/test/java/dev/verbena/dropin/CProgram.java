package dev.verbena.dropin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A C program of src/test/c, compiled against the installed headers of rdma-core. */
final class CProgram {
  private static final Path SOURCES = Path.of("src", "test", "c").toAbsolutePath();
  private static final Path SHIM = Path.of("src", "main", "c").toAbsolutePath();
  private static final long MINUTES = 5;

  /** The result of a run; if a signal ended the program, the exit code is its number plus 128. */
  record Run(int exitCode, String text) {}

  private final Path folder;
  private final Path binary;
  private String javaOptions = "";

  private CProgram(Path folder, Path binary) {
    this.folder = folder;
    this.binary = binary;
  }

  /** Compiles SOURCE.c, a program that is linked with libibverbs. */
  static CProgram of(Path folder, String source) throws IOException, InterruptedException {
    return compile(folder.resolve(source), source, "-Wl,--no-as-needed", "-libverbs");
  }

  /** Compiles SOURCE.c, a program that loads libibverbs itself, if at all. */
  static CProgram unlinked(Path folder, String source) throws IOException, InterruptedException {
    return compile(folder.resolve(source), source);
  }

  /**
   * Compiles SOURCE.c, whose main is called by the program HOST.c: the source becomes a library
   * linked with libibverbs, and the program is linked only with that library.
   */
  static CProgram behind(String host, Path folder, String source)
      throws IOException, InterruptedException {
    return compile(folder.resolve(host), host, library(folder, source).toString());
  }

  /** Compiles SOURCE.c, with a main named program, to a library that needs libibverbs. */
  static Path library(Path folder, String source) throws IOException, InterruptedException {
    Path library = folder.resolve("lib" + source + ".so");
    compile(
        library, source, "-shared", "-fPIC", "-Dmain=program", "-Wl,--no-as-needed", "-libverbs");
    return library;
  }

  /** Compiles SOURCE.c to a library that needs libibverbs, with the versions of SOURCE.map. */
  static Path versioned(Path folder, String source) throws IOException, InterruptedException {
    Path library = folder.resolve("lib" + source + ".so");
    compile(
        library,
        source,
        "-shared",
        "-fPIC",
        "-Wl,--version-script=" + SOURCES.resolve(source + ".map"),
        "-Wl,--no-as-needed",
        "-libverbs");
    return library;
  }

  /** Compiles SOURCE.c together with files of the shim, and nothing else of it. */
  static CProgram withPartsOfTheShim(Path folder, String source, String... parts)
      throws IOException, InterruptedException {
    List<String> more = new ArrayList<>(List.of("-rdynamic", "-I", SHIM.toString()));
    for (String part : parts) {
      more.add(SHIM.resolve(part).toString());
    }
    return compile(folder.resolve(source), source, more.toArray(String[]::new));
  }

  private static CProgram compile(Path binary, String source, String... more)
      throws IOException, InterruptedException {
    NativeLibrary.folder();
    List<String> command = new ArrayList<>(List.of("cc", "-O2", "-std=gnu11", "-pthread"));
    command.addAll(List.of("-Wall", "-Wextra", "-o", binary.toString()));
    if ("required".equals(System.getProperty("verbena.shim"))) {
      command.add("-Werror");
    }
    command.add(SOURCES.resolve(source + ".c").toString());
    command.addAll(List.of(more));
    Run run = run(binary.getParent(), Map.of(), command);
    if (run.exitCode() != 0) {
      throw new AssertionError(String.join(" ", command) + ":\n" + run.text());
    }
    return new CProgram(binary.getParent(), binary);
  }

  /** The java command, for a single class on its own; pass its arguments to {@code on}. */
  static CProgram java(Path folder) throws IOException {
    NativeLibrary.folder();
    return new CProgram(folder, Path.of(System.getProperty("java.home"), "bin", "java"));
  }

  /** Also passes these options, separated by spaces, to the JVM in the program. */
  CProgram javaOptions(String options) {
    javaOptions = options;
    return this;
  }

  /** Runs it by itself. */
  Run run() throws IOException, InterruptedException {
    return run(folder, Map.of(), List.of(binary.toString()));
  }

  /** Runs it on this device, as {@code verbena run} does. */
  Run on(String device, String... arguments) throws IOException, InterruptedException {
    return within("ulimit -c 0", device, arguments);
  }

  /** Runs it on this device after a shell command that sets a limit. */
  Run within(String limit, String device, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", limit + " && exec \"$@\"", "sh", binary.toString()));
    command.addAll(List.of(arguments));
    Map<String, String> environment = new HashMap<>(NativeLibrary.environment(device));
    environment.put("VERBENA_JVM_OPTIONS", javaOptions);
    return run(folder, environment, command);
  }

  private static Run run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path text = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).redirectOutput(text.toFile()).start();
    process.getOutputStream().close();
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError(command + " does not end:\n" + Files.readString(text));
    }
    return new Run(process.exitValue(), Files.readString(text));
  }
}
