package dev.verbena.requirements;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The requirements that the proofs of a build cover. A requirement is proven if a test that claims
 * it passed, and none that claims it failed.
 */
final class Coverage {

  private final List<Requirement> requirements;
  private final Map<String, List<Proof>> proofs;

  Coverage(List<Requirement> requirements, List<Proof> proofs) {
    this.requirements = List.copyOf(requirements);
    this.proofs =
        proofs.stream()
            .collect(Collectors.groupingBy(Proof::id, TreeMap::new, Collectors.toList()));
  }

  List<Requirement> requirements() {
    return requirements;
  }

  /** The pieces of work, in the order in which the requirements first name them. */
  List<String> works() {
    return requirements.stream().map(Requirement::work).distinct().toList();
  }

  List<Requirement> of(String work) {
    return requirements.stream().filter(requirement -> requirement.work().equals(work)).toList();
  }

  boolean isProven(Requirement requirement) {
    List<Proof.Outcome> outcomes = proofs(requirement).stream().map(Proof::outcome).toList();
    return outcomes.contains(Proof.Outcome.PASSED) && !outcomes.contains(Proof.Outcome.FAILED);
  }

  List<Proof> proofs(Requirement requirement) {
    return Collections.unmodifiableList(proofs.getOrDefault(requirement.id(), List.of()));
  }

  /** Proofs of unknown requirements, such as misspelt IDs. */
  List<Proof> unknown() {
    SortedSet<String> ids = new TreeSet<>(proofs.keySet());
    requirements.forEach(requirement -> ids.remove(requirement.id()));
    List<Proof> unknown = new ArrayList<>();
    ids.forEach(id -> unknown.addAll(proofs.getOrDefault(id, List.of())));
    return unknown;
  }
}
