package dev.verbena.verbs;

/** The subnet administrator knows no such path. */
public final class SaPathNotFoundException extends MadException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message which path was requested
   * @param status the status of the response, 16 bits
   */
  public SaPathNotFoundException(String message, int status) {
    super(Kind.STATUS, message, status);
  }
}
