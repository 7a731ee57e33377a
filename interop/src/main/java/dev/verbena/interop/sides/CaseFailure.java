package dev.verbena.interop.sides;

/** Something was not as a case expects it. */
public final class CaseFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CaseFailure(String message) {
    super(message);
  }
}
