package dev.verbena.verbs;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reports a completion with an error: thrown by helpers that poll for you, and by {@link
 * WorkCompletion#orThrow()}. The message has the status in words, what is known about the queues
 * and the peer, and the usual cause of this status ({@link WcStatus#usualCause()}).
 *
 * <p><a id="PY-072"></a>Not all adapters fill in the opcode and the queue pair number of a
 * completion with an error. If these are missing, the queue pair cannot be found, and op= in the
 * message means nothing.
 */
public final class WcException extends RdmaException {
  private static final long serialVersionUID = 1L;

  private final transient WcFailure failure;

  /**
   * For a completion whose queue is not known.
   *
   * @param workCompletion the completion, of which a copy is kept
   */
  public WcException(WorkCompletion workCompletion) {
    this(WcFailure.of(workCompletion, null, null, null), "Error work completion");
  }

  /**
   * For a completion that was polled from {@code cq}. The queue pair is looked up by its number.
   *
   * @param workCompletion the completion, of which a copy is kept
   * @param cq the queue it was polled from
   */
  public WcException(WorkCompletion workCompletion, CompletionQueue cq) {
    this(WcFailure.of(workCompletion, cq, null, null), "Error work completion");
  }

  /**
   * @param workCompletion the completion, of which a copy is kept
   * @param cq the queue it was polled from; null if unknown
   * @param message start of the text
   * @param target the queue pair or shared receive queue of the completion if known, or null.
   *     Unless it is the queue pair, the queue pair is looked up in the context of {@code cq}, or
   *     else of {@code target}
   * @param isRq true for a receive, false for a send, null if unknown: then it is derived from
   *     {@code cq}, if the queue pair has two completion queues
   */
  public WcException(
      WorkCompletion workCompletion,
      @Nullable CompletionQueue cq,
      String message,
      @Nullable RecvTarget target,
      @Nullable Boolean isRq) {
    this(WcFailure.of(workCompletion, cq, target, isRq), message);
  }

  private WcException(WcFailure failure, String message) {
    super(failure.text(message));
    this.failure = failure;
  }

  /** The completion. */
  public WorkCompletion workCompletion() {
    return failure.wc();
  }

  /** The queue it was polled from, or null if that is not known. */
  public @Nullable CompletionQueue cq() {
    return failure.cq();
  }

  /** Its queue pair, or null if that is not known or was destroyed. */
  public @Nullable QueuePair qp() {
    return failure.qp();
  }

  /** The shared receive queue that the receive came from; null if there is none, or for a send. */
  public @Nullable SharedReceiveQueue srq() {
    return failure.srq();
  }

  /** True for a receive, false for a send, null if that is not known. */
  public @Nullable Boolean isRq() {
    return failure.isRq();
  }

  /**
   * The address of the connection's peer; null on UD, on InfiniBand without a global route ({@link
   * #peerLid}), and if it is not known.
   */
  public @Nullable Gid peerGid() {
    return failure.peerGid();
  }

  /** The LID of the connection's peer; empty on Ethernet and on UD, and if it is not known. */
  public OptionalInt peerLid() {
    return failure.peerLid() == 0 ? OptionalInt.empty() : OptionalInt.of(failure.peerLid());
  }

  /** The number of the peer's queue pair; empty on UD, and if it is not known. */
  public OptionalInt peerQpn() {
    return failure.peerQpn() == -1 ? OptionalInt.empty() : OptionalInt.of(failure.peerQpn());
  }
}
