package dev.verbena.verbs;

/**
 * What was asked of a management agent did not succeed: it refused, did not answer in time, or
 * answered something that is no answer.
 */
public sealed class MadException extends RdmaException permits SaPathNotFoundException {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Kind {
    /** No answer came, however often it was asked. */
    TIMEOUT,
    /** The agent answered with an error: {@link MadException#status()}. */
    STATUS,
    /** The answer breaks the protocol, or is larger than the limit. */
    PROTOCOL
  }

  private final Kind kind;
  private final int status;

  /**
   * @param message who was asked what, and what came of it
   * @param status the status of the answer, 16 bits; 0 if there is none
   */
  public MadException(Kind kind, String message, int status) {
    super(message);
    this.kind = kind;
    this.status = status;
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }

  /** The status of the answer, as 0x0300 for "no records"; 0 unless the kind is STATUS. */
  public int status() {
    return status;
  }
}
