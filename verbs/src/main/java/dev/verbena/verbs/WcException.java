package dev.verbena.verbs;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A completion has an error: thrown by helpers that poll for you, and by {@link
 * WorkCompletion#orThrow()}. The message has the status in words, what is known of the queues and
 * the peer, and what usually causes this status ({@link WcStatus#usualCause()}).
 *
 * <p><a id="PY-072"></a>Not all adapters fill the opcode and the queue pair's number of a
 * completion with an error. Where they are missing, the queue pair is not found, and op= in the
 * message means nothing.
 */
public final class WcException extends RdmaException {
  private static final long serialVersionUID = 1L;

  private final transient WcFailure failure;

  /**
   * Of a completion whose queue is not known.
   *
   * @param workCompletion the completion, of which a copy is kept
   */
  public WcException(WorkCompletion workCompletion) {
    this(WcFailure.of(workCompletion, null, null, null), "Error work completion");
  }

  /**
   * Of a completion that was polled from {@code cq}. The queue pair is looked up by its number.
   *
   * @param workCompletion the completion, of which a copy is kept
   * @param cq where it was polled
   */
  public WcException(WorkCompletion workCompletion, CompletionQueue cq) {
    this(WcFailure.of(workCompletion, cq, null, null), "Error work completion");
  }

  /**
   * @param workCompletion the completion, of which a copy is kept
   * @param cq where it was polled; null if unknown
   * @param message what the text begins with
   * @param target the queue pair or shared receive queue that it is known to be of, or null. Unless
   *     it is the queue pair, that is looked up in the context of {@code cq}, or else of {@code
   *     target}
   * @param isRq true for a receive, false for a send, null if unknown: then it follows from {@code
   *     cq}, if the queue pair has two
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

  /** Where it was polled, or null if that is not known. */
  public @Nullable CompletionQueue cq() {
    return failure.cq();
  }

  /** Its queue pair, or null if that is not known or has ended. */
  public @Nullable QueuePair qp() {
    return failure.qp();
  }

  /** The shared receive queue that the receive came from; null if there is none, or for a send. */
  public @Nullable SharedReceiveQueue srq() {
    return failure.srq();
  }

  /** Whether it was a receive: true; or a send: false; null if that is not known. */
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
