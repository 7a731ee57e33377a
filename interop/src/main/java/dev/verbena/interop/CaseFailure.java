package dev.verbena.interop;

/** Something was not as a case expects it. */
final class CaseFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CaseFailure(String message) {
    super(message);
  }
}
