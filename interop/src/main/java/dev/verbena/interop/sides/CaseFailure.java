package dev.verbena.interop.sides;

/** A case's expectation was not met. */
public final class CaseFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CaseFailure(String message) {
    super(message);
  }
}
