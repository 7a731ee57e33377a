package dev.verbena.tck.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.verbs.WorkRequestException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Expects that posting fails immediately. */
public final class Refusal {

  /** The refusal of a call that must not succeed. */
  public static WorkRequestException of(ThrowingCallable call) {
    WorkRequestException refusal = catchThrowableOfType(WorkRequestException.class, call);
    assertThat(refusal).as("WorkRequestException").isNotNull();
    assertThat(refusal.errno()).as("errno of %s", refusal).isPositive();
    return refusal;
  }

  /**
   * The refusal of a call that must fail with this errno.
   *
   * @throws AssertionError otherwise, with a refusal by another one as its cause
   */
  public static WorkRequestException with(int errno, ThrowingCallable call) {
    WorkRequestException refusal = of(call);
    if (refusal.errno() != errno) {
      throw new AssertionError("expected errno " + errno + ", got: " + refusal, refusal);
    }
    return refusal;
  }

  private Refusal() {}
}
