package dev.verbena.verbs;

/**
 * A completion has an error: thrown by helpers that poll for you, and by {@link
 * WorkCompletion#orThrow()}.
 */
public final class WcException extends RdmaException {
  private static final long serialVersionUID = 1L;

  private final transient WorkCompletion workCompletion;

  /**
   * @param workCompletion the completion, of which a copy is kept
   */
  public WcException(WorkCompletion workCompletion) {
    super(
        workCompletion.status().str()
            + " ("
            + workCompletion.status()
            + ") for wr_id "
            + workCompletion.wrId()
            + " on QP 0x"
            + Integer.toHexString(workCompletion.qpNum())
            + ", "
            + workCompletion.vendorErrMessage());
    this.workCompletion = new WorkCompletion().set(workCompletion);
  }

  /** The completion. */
  public WorkCompletion workCompletion() {
    return workCompletion;
  }
}
