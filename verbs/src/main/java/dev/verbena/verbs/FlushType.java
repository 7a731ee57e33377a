package dev.verbena.verbs;

/** Placement types of a FLUSH. */
public final class FlushType {
  /** Globally visible. */
  public static final int GLOBAL = 1;

  /**
   * Persistent: on the disk. Of the software device, the thread that receives the FLUSH waits for
   * the disk ({@code MemorySegment.force}), and for as long as that takes, which nothing bounds:
   *
   * <ul>
   *   <li>the target queue pair executes no other request;
   *   <li>over UDP the target's device receives no packet, for any of its queue pairs, and none of
   *       its timers expires; posting and sending go on. Peers repeat what is not answered, and see
   *       RETRY_EXC_ERR if their retries end before the disk is done;
   *   <li>on the loopback the thread is the sender's, which posts or polls: only the two queue
   *       pairs wait.
   * </ul>
   */
  public static final int PERSISTENT = 1 << 1;

  private FlushType() {}
}
