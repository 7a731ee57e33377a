package dev.verbena.proofs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Gathers outcomes while tests run, from any thread, and turns them into rows at the end. */
final class ProofRecorder {

  private final Map<UniqueId, Outcome> outcomes = new ConcurrentHashMap<>();

  void finished(TestIdentifier identifier, TestExecutionResult.Status status) {
    outcomes.put(identifier.getUniqueIdObject(), Outcome.of(status));
  }

  void skipped(TestIdentifier identifier) {
    outcomes.put(identifier.getUniqueIdObject(), Outcome.SKIPPED);
  }

  /** One row for each ID of each test method in the plan, whether it ran or not. */
  List<ProofRow> rows(TestPlan plan) {
    Map<MethodSource, MethodResult> results = new LinkedHashMap<>();
    for (TestIdentifier root : plan.getRoots()) {
      for (TestIdentifier leaf : plan.getDescendants(root)) {
        if (plan.getChildren(leaf).isEmpty()) {
          method(plan, leaf)
              .ifPresent(
                  method -> {
                    String name = displayName(plan, method);
                    MethodResult result = new MethodResult(name, outcome(plan, leaf));
                    results.merge(source(method).orElseThrow(), result, MethodResult::and);
                  });
        }
      }
    }
    List<ProofRow> rows = new ArrayList<>();
    results.forEach(
        (source, result) -> {
          String test = source.getClassName() + "#" + source.getMethodName();
          for (String id : Claims.of(source.getJavaClass(), source.getJavaMethod())) {
            rows.add(new ProofRow(id, result.outcome(), test, result.displayName()));
          }
        });
    return rows;
  }

  private record MethodResult(String displayName, Outcome outcome) {
    MethodResult and(MethodResult other) {
      return new MethodResult(displayName, outcome.worse(other.outcome));
    }
  }

  /**
   * The outcome of a leaf of the plan, combined with that of its containers: a failing
   * {@code @AfterAll} invalidates the proofs of its class. A leaf that is not a test (a
   * parameterized method or a factory without an invocation) proves nothing.
   */
  private Outcome outcome(TestPlan plan, TestIdentifier leaf) {
    Outcome outcome = leaf.isTest() ? Outcome.PASSED : Outcome.SKIPPED;
    Optional<TestIdentifier> next = Optional.of(leaf);
    while (next.isPresent()) {
      UniqueId id = next.get().getUniqueIdObject();
      outcome = outcome.worse(outcomes.getOrDefault(id, Outcome.SKIPPED));
      next = plan.getParent(next.get());
    }
    return outcome;
  }

  /** The test method of a leaf; a dynamic test does not have its own. */
  private static Optional<TestIdentifier> method(TestPlan plan, TestIdentifier leaf) {
    Optional<TestIdentifier> method = Optional.empty();
    Optional<TestIdentifier> next = Optional.of(leaf);
    while (next.isPresent()) {
      if (source(next.get()).isPresent()) {
        method = next;
      }
      next = plan.getParent(next.get());
    }
    return method;
  }

  private static Optional<MethodSource> source(TestIdentifier identifier) {
    return identifier
        .getSource()
        .filter(MethodSource.class::isInstance)
        .map(MethodSource.class::cast);
  }

  private static String displayName(TestPlan plan, TestIdentifier method) {
    List<String> path = new ArrayList<>();
    Optional<TestIdentifier> next = Optional.of(method);
    while (next.isPresent() && next.get().getParentIdObject().isPresent()) {
      path.addFirst(next.get().getDisplayName());
      next = plan.getParent(next.get());
    }
    return String.join(" > ", path);
  }
}
