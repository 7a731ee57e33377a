package dev.verbena.verbs;

/** Placement types of a FLUSH. */
public final class FlushType {
  /** Globally visible. */
  public static final int GLOBAL = 1;

  /**
   * Persistent: on the disk. On the software device, the thread that receives the FLUSH waits for
   * the disk ({@code MemorySegment.force}). While it waits, which may take any time:
   *
   * <ul>
   *   <li>the target queue pair executes no other request;
   *   <li>over UDP the target's device receives no packet, for any of its queue pairs, and none of
   *       its timers expires; posting and sending continue. Peers repeat unanswered requests, and
   *       see RETRY_EXC_ERR if they run out of retries before the disk is done;
   *   <li>on the loopback the thread is the sender's, which posts or polls, so only the two queue
   *       pairs wait.
   * </ul>
   */
  public static final int PERSISTENT = 1 << 1;

  private FlushType() {}
}
