package dev.verbena.proofs;

/**
 * Adds text to a failure, as a suppressed exception. It is not thrown, and has no stack trace that
 * would hide the text.
 */
public final class Remark extends Throwable {

  private static final long serialVersionUID = 1;

  /** A remark with this text. */
  public Remark(String text) {
    super(text, null, false, false);
  }

  // Without the name of the class, which does not help the reader of the failure.
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return String.valueOf(getMessage());
  }
}
