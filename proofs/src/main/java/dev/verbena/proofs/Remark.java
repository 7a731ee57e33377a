package dev.verbena.proofs;

/**
 * What a failure carries besides its cause, as a suppressed exception. It is not thrown, and has no
 * stack trace that would hide the words.
 */
public final class Remark extends Throwable {

  private static final long serialVersionUID = 1;

  /** Says this. */
  public Remark(String text) {
    super(text, null, false, false);
  }

  // Without the name of the class, which says nothing to who reads the failure.
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return String.valueOf(getMessage());
  }
}
