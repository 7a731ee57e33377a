package dev.verbena.requirements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where the reactor's sources and compiled classes are. */
final class Repository {

  /** All modules, in the order of the reactor. */
  static final List<String> MODULES =
      List.of(
          "proofs",
          "verbs",
          "wire",
          "soft",
          "mad",
          "junit",
          "rdmacore",
          "dropin",
          "tck",
          "tools",
          "examples",
          "bench",
          "jcstress",
          "interop",
          "requirements");

  private Repository() {}

  /** The root of the repository, which Surefire passes. */
  static Path root() {
    String root = System.getProperty("verbena.root", "..");
    return Path.of(root).toAbsolutePath().normalize();
  }

  /** The Java sources below {@code src}, or a folder of it, of the given modules. */
  static List<Path> sources(String folder, List<String> modules) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : modules) {
      Path top = root().resolve(module).resolve(folder);
      if (Files.isDirectory(top)) {
        try (Stream<Path> files = Files.walk(top)) {
          files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
        }
      }
    }
    return sources;
  }

  /** The folder of a module's compiled classes, which must exist. */
  static Path classes(String module, String folder) {
    Path classes = root().resolve(module).resolve("target").resolve(folder);
    if (!Files.isDirectory(classes)) {
      throw new IllegalStateException(
          classes + " is missing: build with -pl requirements -am, house rules judge all modules");
    }
    return classes;
  }
}
