package dev.verbena.tck.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A call that was refused as expected, and checks of its message. */
public final class Refused {
  private final VerbsException exception;

  private Refused(VerbsException exception) {
    this.exception = exception;
  }

  /**
   * Runs the call; it must throw VerbsException with one of these error numbers.
   *
   * @throws AssertionError otherwise, with the exception of another number as its cause
   */
  public static Refused of(ThrowingCallable call, int... errnos) {
    Throwable thrown = catchThrowable(call);
    String expected =
        "expected " + Arrays.stream(errnos).mapToObj(Errno::name).toList() + ", got: ";
    if (thrown == null) {
      throw new AssertionError(expected + "no refusal");
    }
    assertThat(thrown).isInstanceOf(VerbsException.class);
    VerbsException exception = (VerbsException) thrown;
    if (Arrays.stream(errnos).noneMatch(errno -> errno == exception.errno())) {
      throw new AssertionError(expected + exception.getMessage(), exception);
    }
    return new Refused(exception);
  }

  /** Each text occurs in the message, whatever the case of its letters. */
  public Refused naming(String... parts) {
    for (String part : parts) {
      assertThat(exception.getMessage()).containsIgnoringCase(part);
    }
    return this;
  }

  /** Checks the failing call's name, which is one of these: the method's or the verb's. */
  public Refused from(String... functions) {
    assertThat(exception.function()).isIn((Object[]) functions);
    return this;
  }

  public VerbsException exception() {
    return exception;
  }
}
