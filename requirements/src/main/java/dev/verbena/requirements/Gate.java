package dev.verbena.requirements;

import dev.verbena.proofs.LawBook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The rules for a build's coverage; each breach is one line. */
final class Gate {

  private final Set<String> complete;
  private final Map<String, String> exceptions;
  private final LawBook book;

  /**
   * @param complete the pieces of work that must be proven completely
   * @param exceptions IDs that are unproven for a reason, and the reason
   * @param book where the texts are
   */
  Gate(Set<String> complete, Map<String, String> exceptions, LawBook book) {
    this.complete = Set.copyOf(complete);
    this.exceptions = Map.copyOf(exceptions);
    this.book = book;
  }

  /** Reads the reasons from the table {@code exceptions.tsv}. */
  static Map<String, String> listedExceptions() {
    return Table.resource("exceptions.tsv").stream()
        .collect(Collectors.toMap(List::getFirst, row -> row.get(1)));
  }

  List<String> breaches(Coverage coverage) {
    List<String> breaches = new ArrayList<>();
    for (Proof proof : coverage.unknown()) {
      breaches.add("%s claims %s, which is not a requirement".formatted(proof.by(), proof.id()));
    }
    Set<String> unknown = new HashSet<>(exceptions.keySet());
    for (Requirement requirement : coverage.requirements()) {
      unknown.remove(requirement.id());
      boolean excepted = exceptions.containsKey(requirement.id());
      if (coverage.isProven(requirement) && excepted) {
        breaches.add("%s is proven, yet listed as an exception".formatted(requirement.id()));
      } else if (mustBeProven(requirement) && !coverage.isProven(requirement) && !excepted) {
        breaches.add(
            "%s is not proven; its text: %s".formatted(requirement.id(), text(requirement)));
      }
    }
    for (String id : unknown) {
      breaches.add("%s is listed as an exception, but is not a requirement".formatted(id));
    }
    for (String work : complete) {
      if (!coverage.works().contains(work)) {
        breaches.add("no requirement belongs to the work '%s'".formatted(work));
      }
    }
    return breaches;
  }

  private String text(Requirement requirement) {
    return book.place(requirement.id()).orElse("nowhere");
  }

  private boolean mustBeProven(Requirement requirement) {
    return complete.contains(requirement.work()) && requirement.kind() != Requirement.Kind.OPTIONAL;
  }
}
