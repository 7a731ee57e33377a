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

  private final String object;
  private final transient @Nullable Object badWr;
  private final int index;

  /** What the request had then: the program may have used the object again since. */
  private final long wrId;

  /**
   * @param function postSend, postRecv, postSrqRecv, postWqRecv, bindMw or wrComplete
   * @param errno a positive number from {@link Errno}
   * @param object to what was posted, such as "QP 0x11"
   * @param detail what was wrong with the work request
   * @param badWr the failing {@link SendWr}, {@link RecvWr} or {@link MwBind}; null from wrComplete
   * @param index position of the failing work request, from 0, in the list or among the builders;
   *     -1 if none
   */
  public WorkRequestException(
      String function, int errno, String object, String detail, @Nullable Object badWr, int index) {
    super(function, errno, detail, errno != Errno.ENOMEM);
    this.object = object;
    this.badWr = badWr;
    this.index = index;
    this.wrId = wrId(badWr);
  }

  private static long wrId(@Nullable Object badWr) {
    if (badWr instanceof SendWr wr) {
      return wr.wrId();
    }
    if (badWr instanceof RecvWr wr) {
      return wr.wrId();
    }
    return badWr instanceof MwBind bind ? bind.wrId() : 0;
  }

  /** "QP 0x11, wr_id 42: " or "QP 0x11, request 2 of the batch: ". */
  @Override
  String subject() {
    boolean listed = badWr != null;
    String id = listed ? ", wr_id " + wrId : "";
    String place = listed ? " of the list" : " of the batch";
    // Most lists have one request, whose place is not worth a word.
    return object
        + id
        + (index > 0 || (index == 0 && !listed) ? ", request " + (index + 1) + place : "")
        + ": ";
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
   * is to blame. The message counts from 1.
   */
  public int index() {
    return index;
  }
}
