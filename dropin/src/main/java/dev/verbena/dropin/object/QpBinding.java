package dev.verbena.dropin.object;

import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A queue pair and the program's struct ibv_qp_ex. */
public final class QpBinding extends QueueBinding<QueuePair> {
  private final QpType type;
  private @Nullable QueuePairEx extended;
  private MemorySegment inline = MemorySegment.NULL;
  private int maxSendSge;

  /** The errno of the first call that threw in the open batch, or 0. The batch guards it. */
  private int refusal;

  /**
   * @param struct address of the struct ibv_qp_ex
   */
  public QpBinding(long struct, QpType type) {
    super(struct, "a queue pair");
    this.type = type;
  }

  public static QpBinding get(long handle) {
    return Handles.get(handle, HandleKind.QP);
  }

  /** Sets the queue pair and its capabilities. */
  public void bind(QueuePair made, boolean hasSendOps) {
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
  public int maxSendSge() {
    return maxSendSge;
  }

  /** The queue pair as its extended posting API. */
  public QueuePairEx extended() {
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
  public QueuePairEx batch() {
    QueuePairEx present = extended();
    present.resumeWr();
    return present;
  }

  /** Destroys the queue pair, and ends a batch that may be open. */
  public void destroy() {
    if (extended != null) {
      extended.resumeWr();
    }
    queue().destroy();
  }

  /** Memory for gathering the inline data of one request of the extended posting API. */
  public MemorySegment inline() {
    return inline;
  }

  /** Notes that a call without a result in C was refused, for wr_complete to report. */
  public void refuse(int errno) {
    if (refusal == 0) {
      refusal = errno;
    }
  }

  /** Returns the errno of the first refused call, or 0, and clears it. */
  public int takeRefusal() {
    int taken = refusal;
    refusal = 0;
    return taken;
  }

  /** Its type. */
  public QpType type() {
    return type;
  }
}
