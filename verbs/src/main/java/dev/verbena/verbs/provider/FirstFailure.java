package dev.verbena.verbs.provider;

import org.jspecify.annotations.Nullable;

/**
 * Takes steps that are all to be taken, even if some fail. At the end it throws the first failure,
 * which the others are added to as suppressed ones. For one thread.
 */
public final class FirstFailure {
  private @Nullable RuntimeException first;

  /** No failure so far. */
  public FirstFailure() {}

  /** Takes a step, and keeps its failure. */
  public void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      if (first == null) {
        first = e;
      } else {
        first.addSuppressed(e);
      }
    }
  }

  /** Throws the first failure, if there was one. */
  public void throwIfAny() {
    if (first != null) {
      throw first;
    }
  }
}
