package dev.verbena.verbs;

/**
 * A request to a management agent failed: the agent refused it, did not respond in time, or sent an
 * invalid response.
 */
public sealed class MadException extends RdmaException permits SaPathNotFoundException {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Kind {
    /** No response arrived, even after repeating the request. */
    TIMEOUT,
    /** The agent returned an error: {@link MadException#status()}. */
    STATUS,
    /** The response violates the protocol or exceeds the size limit. */
    PROTOCOL
  }

  private final Kind kind;
  private final int status;

  /**
   * @param message who was asked for what, and the outcome
   * @param status the status of the response, 16 bits; 0 if there is none
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

  /** The status of the response, such as 0x0300 for "no records"; 0 unless the kind is STATUS. */
  public int status() {
    return status;
  }
}
