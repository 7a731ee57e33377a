package dev.verbena.dropin;

import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A queue pair and the program's struct ibv_qp_ex. */
final class QpBinding extends QueueBinding<QueuePair> {
  private final QpType type;
  private @Nullable QueuePairEx extended;
  private MemorySegment inline = MemorySegment.NULL;
  private int maxSendSge;

  /** The errno of the first call that threw in the open batch, or 0. The batch guards it. */
  private int refusal;

  /**
   * @param struct address of the struct ibv_qp_ex
   */
  QpBinding(long struct, QpType type) {
    super(struct, "a queue pair");
    this.type = type;
  }

  static QpBinding get(long handle) {
    return Handles.get(handle, HandleKind.QP);
  }

  /** Sets the queue pair and its capabilities. */
  void bind(QueuePair made, boolean hasSendOps) {
    QpCap cap = made.queryInit().cap();
    bind(made, cap.maxRecvSge());
    maxSendSge = cap.maxSendSge();
    if (hasSendOps) {
      extended = made.toQpEx();
      inline = MemorySegment.ofArray(new byte[cap.maxInlineData()]);
    }
  }

  @Override
  public void postRecv(@Nullable RecvWr list) {
    queue().postRecv(list);
  }

  /** Maximum number of elements of a request. */
  int maxSendSge() {
    return maxSendSge;
  }

  /** The queue pair as its extended posting API. */
  QueuePairEx extended() {
    QueuePairEx present = extended;
    if (present == null) {
      throw new IllegalStateException(queue() + " was created without send_ops_flags");
    }
    return present;
  }

  /**
   * The extended posting API between wr_start and wr_complete. In C these are not bound to a
   * thread: another one may have begun, such as the stand-in of a coroutine.
   */
  QueuePairEx batch() {
    QueuePairEx present = extended();
    present.resumeWr();
    return present;
  }

  /** Destroys the queue pair, and ends a batch that may be open. */
  void destroy() {
    if (extended != null) {
      extended.resumeWr();
    }
    queue().destroy();
  }

  /** Memory for gathering the inline data of one request of the extended posting API. */
  MemorySegment inline() {
    return inline;
  }

  /** Notes that a call without a result in C was refused, for wr_complete to report. */
  void refuse(int errno) {
    if (refusal == 0) {
      refusal = errno;
    }
  }

  /** Returns the errno of the first refused call, or 0, and clears it. */
  int takeRefusal() {
    int taken = refusal;
    refusal = 0;
    return taken;
  }

  /** Its type. */
  QpType type() {
    return type;
  }
}
