package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A receive work request (struct ibv_recv_wr): a reusable element of a linked list. Posting copies
 * it.
 */
public final class RecvWr {
  private long wrId;
  private @Nullable RecvWr next;

  private Sge[] sgList = {};
  private int numSge;

  /** An empty work request. */
  public RecvWr() {}

  /** The scatter/gather list, of which the first {@link #numSge()} elements are used. */
  public Sge[] sgList() {
    return sgList;
  }

  /**
   * Sets the list, and numSge to its length. The array is kept, not copied, until the request is
   * posted. A receive without elements takes a message of no bytes, or a WRITE with immediate data,
   * which uses no memory of the receive.
   */
  public RecvWr sgList(Sge... list) {
    sgList = list;
    numSge = list.length;
    return this;
  }

  /** How many elements of the list are used; checked when the request is posted. */
  public int numSge() {
    return numSge;
  }

  /** Sets how many elements of the list are used. */
  public RecvWr numSge(int count) {
    numSge = count;
    return this;
  }

  /** Identifier that the completion returns unchanged. */
  public long wrId() {
    return wrId;
  }

  /** Sets the identifier that the completion returns unchanged. */
  public RecvWr wrId(long value) {
    wrId = value;
    return this;
  }

  /** The next work request of the list; null ends it. */
  public @Nullable RecvWr next() {
    return next;
  }

  /** Sets the next work request of the list; null ends it. */
  public RecvWr next(@Nullable RecvWr value) {
    next = value;
    return this;
  }

  @Override
  public String toString() {
    return new FieldText("recv_wr")
        .add("wr_id", wrId)
        .elements(numSge, sgList)
        .addIf(next != null, "next", "...")
        .toString();
  }
}
