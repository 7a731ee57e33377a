package dev.verbena.dropin;

import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SharedReceiveQueue;
import org.jspecify.annotations.Nullable;

/** A shared receive queue and the program's struct of it; the context object of the queue. */
final class SrqBinding implements ReceiveBinding {
  private final long struct;
  private @Nullable SharedReceiveQueue srq;
  private int maxRecvSge;

  /**
   * @param struct address of the struct ibv_srq
   */
  SrqBinding(long struct) {
    this.struct = struct;
  }

  static SrqBinding get(long handle) {
    return Handles.get(handle, HandleKind.SRQ);
  }

  /** The queue of a handle, or null if none is given. */
  static @Nullable SharedReceiveQueue srqIfGiven(long handle) {
    SrqBinding binding = Handles.getIfGiven(handle, HandleKind.SRQ);
    return binding == null ? null : binding.srq();
  }

  /** Sets the queue, which is made with this object as its context. */
  void bind(SharedReceiveQueue made) {
    srq = made;
    maxRecvSge = made.query().maxSge();
  }

  @Override
  public void postRecv(@Nullable RecvWr list) {
    srq().postRecv(list);
  }

  @Override
  public int maxRecvSge() {
    return maxRecvSge;
  }

  long struct() {
    return struct;
  }

  SharedReceiveQueue srq() {
    SharedReceiveQueue present = srq;
    if (present == null) {
      throw new IllegalStateException("a shared receive queue is used before it is made");
    }
    return present;
  }
}
