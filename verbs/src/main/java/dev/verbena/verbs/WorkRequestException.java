package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A work request could not be posted. If thrown by postSend, or by postRecv of any queue: the work
 * requests before the failing one are posted and will execute; the failing one and those after it
 * are not. If thrown by wrComplete: nothing is posted.
 *
 * <p>ENOMEM means only that the queue is full: ordinary back-pressure, for which the exception
 * carries no stack trace. Data that is too long for the queue pair, inline or not, is EINVAL.
 */
public final class WorkRequestException extends VerbsException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable Object badWr;
  private final int index;

  /**
   * @param function postSend, postRecv, postSrqRecv, postWqRecv, bindMw or wrComplete
   * @param errno a positive number from {@link Errno}
   * @param detail what was wrong with which work request
   * @param badWr the failing {@link SendWr}, {@link RecvWr} or {@link MwBind}; null from wrComplete
   * @param index position of the failing work request, from 0, in the list or among the builders;
   *     -1 if none
   */
  public WorkRequestException(
      String function, int errno, String detail, @Nullable Object badWr, int index) {
    super(function, errno, detail, errno != Errno.ENOMEM);
    this.badWr = badWr;
    this.index = index;
  }

  /**
   * The first work request that was not posted (bad_wr of ibv_post_send in C); null from
   * wrComplete.
   */
  public @Nullable SendWr badSendWr() {
    return badWr instanceof SendWr wr ? wr : null;
  }

  /**
   * The first receive that was not posted (bad_wr of ibv_post_recv, ibv_post_srq_recv and
   * ibv_post_wq_recv in C; {@link QueuePair#postRecv}, {@link SharedReceiveQueue#postRecv}, {@link
   * WorkQueue#postRecv}).
   */
  public @Nullable RecvWr badRecvWr() {
    return badWr instanceof RecvWr wr ? wr : null;
  }

  /** The request of {@link QueuePair#bindMw} that was not posted; null from anything else. */
  public @Nullable MwBind badMwBind() {
    return badWr instanceof MwBind bind ? bind : null;
  }

  /**
   * Position, from 0, of the failing work request in its list or of the failing builder; -1 if none
   * is to blame.
   */
  public int index() {
    return index;
  }
}
