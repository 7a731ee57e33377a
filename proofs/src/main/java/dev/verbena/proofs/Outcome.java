package dev.verbena.proofs;

import org.junit.platform.engine.TestExecutionResult;

/** How a test method ended, over all its invocations; from best to worst. */
enum Outcome {
  PASSED,
  SKIPPED,
  ABORTED,
  FAILED;

  static Outcome of(TestExecutionResult.Status status) {
    return switch (status) {
      case SUCCESSFUL -> PASSED;
      case ABORTED -> ABORTED;
      case FAILED -> FAILED;
    };
  }

  Outcome worse(Outcome other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
