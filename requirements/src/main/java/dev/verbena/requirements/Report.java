package dev.verbena.requirements;

import dev.verbena.proofs.LawBook;
import java.util.List;
import java.util.Map;

/** Writes the coverage of a build as Markdown, with links to the texts of the rules. */
final class Report {

  private final Coverage coverage;
  private final Map<String, String> exceptions;
  private final LawBook book;
  private final String root;

  /**
   * @param coverage what this build proves
   * @param exceptions IDs that are unproven for a reason, and the reason
   * @param book where the texts are
   * @param root the path from the report's folder to the repository's root, such as {@code ..}
   */
  Report(Coverage coverage, Map<String, String> exceptions, LawBook book, String root) {
    this.coverage = coverage;
    this.exceptions = Map.copyOf(exceptions);
    this.book = book;
    this.root = root;
  }

  /** The counts: {@code proven P of N}, then a line for each piece of work. */
  String summary() {
    StringBuilder text = new StringBuilder("proven %s\n".formatted(count(coverage.requirements())));
    for (String work : coverage.works()) {
      text.append("%s: %s\n".formatted(work, count(coverage.of(work))));
    }
    return text.toString();
  }

  String markdown() {
    StringBuilder text = new StringBuilder(summary());
    text.append("\n# Unproven\n");
    for (String work : coverage.works()) {
      text.append("\n## %s\n\n".formatted(work));
      coverage.of(work).stream()
          .filter(requirement -> !coverage.isProven(requirement))
          .forEach(requirement -> text.append(unproven(requirement)));
    }
    text.append("\n# Proven\n\n");
    coverage.requirements().stream()
        .filter(coverage::isProven)
        .forEach(requirement -> text.append(proven(requirement)));
    return text.toString();
  }

  private String count(List<Requirement> requirements) {
    long proven = requirements.stream().filter(coverage::isProven).count();
    return "%d of %d".formatted(proven, requirements.size());
  }

  private String unproven(Requirement requirement) {
    StringBuilder text = new StringBuilder(head(requirement));
    if (requirement.kind() == Requirement.Kind.OPTIONAL) {
      text.append(" (optional)");
    }
    String reason = exceptions.get(requirement.id());
    if (reason != null) {
      text.append(" (exception: ").append(reason).append(')');
    }
    return text.append('\n').append(proofs(requirement)).toString();
  }

  private String proven(Requirement requirement) {
    return head(requirement) + "\n" + proofs(requirement);
  }

  private String head(Requirement requirement) {
    String id = requirement.id();
    return book.place(id)
        .map(place -> "- [%s](%s/%s)".formatted(id, root, place))
        .orElse("- %s (no text)".formatted(id));
  }

  private String proofs(Requirement requirement) {
    StringBuilder text = new StringBuilder();
    for (Proof proof : coverage.proofs(requirement)) {
      text.append("  - `").append(proof.by()).append('`');
      if (proof.outcome() != Proof.Outcome.PASSED) {
        text.append(' ').append(proof.outcome());
      }
      text.append('\n');
    }
    return text.toString();
  }
}
