package dev.verbena.tools.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A source tree with the project's scripts in which everything seems to be built already, so that a
 * test of the scripts neither builds nor needs what is built.
 */
final class SourceTree {
  private static final List<String> MODULES =
      List.of("verbs", "wire", "soft", "rdmacore", "dropin");

  private final Path root;

  private SourceTree(Path root) {
    this.root = root;
  }

  /** Makes it in an empty folder. */
  static SourceTree in(Path folder) throws IOException {
    Path root = folder.toRealPath();
    SourceTree tree = new SourceTree(root);
    Files.writeString(root.resolve("pom.xml"), "  <version>1</version>\n");
    for (String module : MODULES) {
      tree.makeModule(module);
    }
    Files.createDirectories(root.resolve("bin"));
    for (String script : List.of("verbena", "run", "example", "sources", "made-of", "jdk25")) {
      writeByOther("cp -p ../bin/" + script + " \"$0\"", root.resolve("bin", script), "");
    }
    Files.createDirectories(tree.lib());
    Files.createDirectories(tree.nativeFolder());
    Files.createFile(tree.lib().resolve("verbs-1.jar"));
    Files.createFile(tree.lib().resolve("soft-1.jar"));
    Files.createFile(tree.nativeFolder().resolve("libibverbs.so.1"));
    // It is preloaded, so it has to be a library.
    Files.copy(Path.of(Launch.JDK, "lib", "libjsig.so"), tree.files());
    Files.createFile(tree.jar());
    tree.noteWhatItIsMadeOf("dropin");
    return tree;
  }

  private void makeModule(String module) throws IOException {
    Files.createDirectories(root.resolve(module, "src", "main"));
    Files.createFile(root.resolve(module, "pom.xml"));
  }

  /** Adds an example, which seems to be built as well, and returns its source. */
  Path example(String name) throws IOException {
    makeModule("mad");
    makeModule("examples");
    Path folder = root.resolve("examples", "src", "main", "java", "dev", "verbena", "examples");
    Files.createDirectories(folder);
    Path source = Files.writeString(folder.resolve(name + ".java"), "void main() {}");
    Files.createDirectories(root.resolve("examples", "target", "lib"));
    Files.createDirectories(root.resolve("examples", "target", "classes"));
    Files.createFile(root.resolve("examples", "target", "verbena-examples-1.jar"));
    noteWhatItIsMadeOf("examples");
    return source;
  }

  /** As a build of the module does at its end. */
  private void noteWhatItIsMadeOf(String module) throws IOException {
    Process noting =
        new ProcessBuilder(root.resolve("bin", "made-of").toString(), module, "--note")
            .inheritIO()
            .start();
    assertThat(noting.onExit().join().exitValue()).isZero();
  }

  /** The root. */
  Path root() {
    return root;
  }

  /** The command. */
  Path verbena() {
    return root.resolve("bin", "verbena");
  }

  /** Where the library is. */
  Path nativeFolder() {
    return root.resolve("dropin", "target", "native");
  }

  /** The library with the device's files. */
  Path files() {
    return nativeFolder().resolve("libverbena_files.so");
  }

  /** The jars that the drop-in's own needs. */
  Path lib() {
    return root.resolve("dropin", "target", "lib");
  }

  /** The drop-in's own. */
  Path jar() {
    return root.resolve("dropin", "target", "verbena-dropin-1.jar");
  }

  /** Java's ahead-of-time cache. */
  Path cache() {
    return root.resolve("dropin", "target", "aot", "verbena.aot");
  }

  /** Makes the training program a shell script. */
  void training(String script) throws Exception {
    script(training(), script);
  }

  /** Makes a program that is a shell script. */
  static void script(Path program, String script) throws IOException {
    writeByOther("cat >\"$0\" && chmod +x \"$0\"", program, "#!/bin/sh\n" + script + "\n");
  }

  /**
   * Has another process write a program: a file cannot be started while any process has it open to
   * write, and one that another test starts just now has for a moment what we have.
   */
  private static void writeByOther(String command, Path program, String input) throws IOException {
    Process writer =
        new ProcessBuilder("sh", "-c", command, program.toString())
            .inheritIO()
            .redirectInput(ProcessBuilder.Redirect.PIPE)
            .start();
    try (Writer text = writer.outputWriter()) {
      text.write(input);
    }
    assertThat(writer.onExit().join().exitValue()).isZero();
  }

  private Path training() {
    return nativeFolder().resolve("training");
  }
}
