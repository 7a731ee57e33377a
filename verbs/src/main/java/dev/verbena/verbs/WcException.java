package dev.verbena.verbs;

/** A helper that polls for you met a completion with an error. */
public final class WcException extends RuntimeException {
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
            + ", vendor_err "
            + workCompletion.vendorErr());
    this.workCompletion = new WorkCompletion().set(workCompletion);
  }

  /** The completion. */
  public WorkCompletion workCompletion() {
    return workCompletion;
  }
}
