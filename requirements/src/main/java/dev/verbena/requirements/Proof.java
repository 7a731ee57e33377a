package dev.verbena.requirements;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A claim that something proves a requirement, and its outcome in this build.
 *
 * @param id the requirement
 * @param outcome {@code PASSED}, {@code FAILED}, {@code ABORTED} or {@code SKIPPED}
 * @param by the test, as {@code Class#method}, or the file with the Javadoc anchor
 */
record Proof(String id, Outcome outcome, String by) {

  /** How a test method ended, over all its invocations. */
  enum Outcome {
    PASSED,
    FAILED,
    ABORTED,
    SKIPPED
  }

  /**
   * Reads the tables that the tests of all modules below {@code root} wrote during {@code build}.
   */
  static List<Proof> collect(Path root, String build) throws IOException {
    List<Proof> proofs = new ArrayList<>();
    try (DirectoryStream<Path> modules = Files.newDirectoryStream(root, Files::isDirectory)) {
      for (Path module : modules) {
        Path folder = module.resolve("target").resolve("proofs");
        if (Files.isDirectory(folder)) {
          try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, build + "-*.tsv")) {
            for (Path file : files) {
              for (String line : Files.readAllLines(file)) {
                proofs.add(parse(file, line));
              }
            }
          }
        }
      }
    }
    return proofs;
  }

  private static Proof parse(Path file, String line) {
    String[] cells = line.split("\t", -1);
    if (cells.length != 4) {
      throw new IllegalArgumentException(
          "%s: a proof has 4 cells, not %d: %s".formatted(file, cells.length, line));
    }
    return new Proof(cells[0], Outcome.valueOf(cells[1]), cells[2]);
  }
}
