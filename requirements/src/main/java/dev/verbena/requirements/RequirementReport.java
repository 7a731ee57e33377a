package dev.verbena.requirements;

import dev.verbena.proofs.LawBook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes {@code target/requirements.md}: what this build proves, and what is unproven. The build
 * runs it once the tests of all modules have passed.
 */
public final class RequirementReport {

  private RequirementReport() {}

  /**
   * Writes the report, prints its counts, and ends with status 1 if the coverage breaks a rule.
   *
   * @param args the repository's root; the name of this build; the pieces of work that must be
   *     proven completely, separated by commas, or {@code none}
   * @throws IOException if the proofs cannot be read or the report cannot be written
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 3) {
      throw new IllegalArgumentException("expected: ROOT BUILD WORK[,WORK...]|none");
    }
    List<String> breaches = run(Path.of(args[0]).toRealPath(), args[1], works(args[2]));
    if (!breaches.isEmpty()) {
      breaches.forEach(breach -> System.err.println("requirements: " + breach));
      System.exit(1);
    }
  }

  private static List<String> run(Path root, String build, Set<String> complete)
      throws IOException {
    List<Proof> proofs = new ArrayList<>(Proof.collect(root, build));
    for (DocAnchor anchor : DocAnchor.all()) {
      proofs.add(anchor.proof(root));
    }
    Coverage coverage = new Coverage(Requirement.all(), proofs);
    Map<String, String> exceptions = Gate.listedExceptions();
    LawBook book = LawBook.read(root);
    Report report = new Report(coverage, exceptions, book, "..");
    Path file = root.resolve("target").resolve("requirements.md");
    Files.createDirectories(file.getParent());
    Files.writeString(file, report.markdown());
    System.out.print(report.summary());
    System.out.println("unproven requirements and the tests of the others: " + file);
    return new Gate(complete, exceptions, book).breaches(coverage);
  }

  private static Set<String> works(String text) {
    return text.equals("none")
        ? Set.of()
        : Stream.of(text.split(",", -1)).map(String::strip).collect(Collectors.toSet());
  }
}
