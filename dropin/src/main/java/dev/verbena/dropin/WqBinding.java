package dev.verbena.dropin;

import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.WorkQueue;
import org.jspecify.annotations.Nullable;

/** A work queue and the program's struct of it; the context object of the queue. */
final class WqBinding implements ReceiveBinding {
  private final long struct;
  private final int maxRecvSge;
  private @Nullable WorkQueue wq;

  /**
   * @param struct address of the struct ibv_wq
   * @param maxRecvSge most elements of one receive
   */
  WqBinding(long struct, int maxRecvSge) {
    this.struct = struct;
    this.maxRecvSge = maxRecvSge;
  }

  static WqBinding get(long handle) {
    return Handles.get(handle, HandleKind.WQ);
  }

  /** Sets the queue, which is made with this object as its context. */
  void bind(WorkQueue made) {
    wq = made;
  }

  @Override
  public void postRecv(@Nullable RecvWr list) {
    wq().postRecv(list);
  }

  @Override
  public int maxRecvSge() {
    return maxRecvSge;
  }

  long struct() {
    return struct;
  }

  WorkQueue wq() {
    WorkQueue present = wq;
    if (present == null) {
      throw new IllegalStateException("a work queue is used before it is made");
    }
    return present;
  }
}
