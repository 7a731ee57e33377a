package dev.verbena.dropin;

import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A queue pair and the program's struct of it; the context object of the queue pair. */
final class QpBinding implements ReceiveBinding {
  private final long struct;
  private final QpType type;
  private @Nullable QueuePair qp;
  private @Nullable QueuePairEx extended;
  private MemorySegment inline = MemorySegment.NULL;
  private int maxSendSge;
  private int maxRecvSge;

  /** The errno of the first call that threw in the open region, or 0. The region guards it. */
  private int refusal;

  /**
   * @param struct address of the struct ibv_qp_ex
   */
  QpBinding(long struct, QpType type) {
    this.struct = struct;
    this.type = type;
  }

  static QpBinding get(long handle) {
    return Handles.get(handle, HandleKind.QP);
  }

  /** Sets the queue pair, which is made with this object as its context. */
  void bind(QueuePair made, boolean hasSendOps) {
    qp = made;
    QpCap cap = made.queryInit().cap();
    maxSendSge = cap.maxSendSge();
    maxRecvSge = cap.maxRecvSge();
    if (hasSendOps) {
      extended = made.toQpEx();
      inline = MemorySegment.ofArray(new byte[cap.maxInlineData()]);
    }
  }

  @Override
  public void postRecv(@Nullable RecvWr list) {
    qp().postRecv(list);
  }

  @Override
  public int maxRecvSge() {
    return maxRecvSge;
  }

  /** Most elements of one request. */
  int maxSendSge() {
    return maxSendSge;
  }

  long struct() {
    return struct;
  }

  QueuePair qp() {
    QueuePair present = qp;
    if (present == null) {
      throw new IllegalStateException("a queue pair is used before it is made");
    }
    return present;
  }

  /** For the extended posting API. */
  QueuePairEx extended() {
    QueuePairEx present = extended;
    if (present == null) {
      throw new IllegalStateException(qp() + " was created without send_ops_flags");
    }
    return present;
  }

  /**
   * The same, within a region. In C that belongs to no thread: it may have been begun by another
   * one, as by the stand-in of a coroutine.
   */
  QueuePairEx region() {
    QueuePairEx present = extended();
    present.resumeWr();
    return present;
  }

  /** Ends it, with the region that may be open. */
  void destroy() {
    if (extended != null) {
      extended.resumeWr();
    }
    qp().destroy();
  }

  /** Room to gather the inline data of one request of the extended posting API. */
  MemorySegment inline() {
    return inline;
  }

  /** Notes that a call which has no result in C was refused: wr_complete is to say so. */
  void refuse(int errno) {
    if (refusal == 0) {
      refusal = errno;
    }
  }

  /** The errno of the first that was refused, or 0; forgets it. */
  int takeRefusal() {
    int taken = refusal;
    refusal = 0;
    return taken;
  }

  /** Its kind. */
  QpType type() {
    return type;
  }
}
