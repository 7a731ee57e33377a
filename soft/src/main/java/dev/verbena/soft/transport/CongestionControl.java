package dev.verbena.soft.transport;

/**
 * Decides what a queue pair may have in flight to its destination, from events on the way there.
 * {@link CongestionControls} makes one for each queue pair when its destination is known; those to
 * one destination share their knowledge. Called under the requester guard of its queue pair, so the
 * shared part must be thread-safe.
 *
 * <p>It decides how much may be in flight, not when a packet leaves: answers set the pace. Pacing
 * of packets is out of scope. Packets leave in runs that share a system call, so pacing would apply
 * to runs, tens of microseconds apart; no timer here is that fine, and polling for it would keep a
 * processor busy.
 */
public interface CongestionControl {
  /**
   * How many PSNs may be unanswered; the caller is about to send.
   *
   * @param ofPath what a healthy path takes, of all queue pairs to the destination; at least 1
   * @return at least 1, at most {@code ofPath}
   */
  int limit(int ofPath);

  /** The queue pair no longer has anything in flight. */
  void rest();

  /** It no longer sends there; nothing is called after this. */
  void end();

  /**
   * Whether it currently wants to hear of arrivals; if not, nothing is measured, which saves
   * reading the clock for each answer.
   */
  boolean listens();

  /**
   * This number of PSNs was acknowledged; called only while it {@link #listens}.
   *
   * @param now engine time, nanoseconds
   */
  void arrived(int psns, long now);

  /**
   * The peer has answered a request that was not repeated in this number of nanoseconds; called
   * only while it {@link #listens}.
   */
  void answeredIn(long nanos);

  /**
   * A packet or its answer was lost, or came early, which costs as much, because a responder keeps
   * nothing after a gap.
   *
   * @param now engine time, nanoseconds
   */
  void lost(long now);

  /**
   * There was no room for everything that was sent. The peer has sent a CNP, because the network
   * has marked packets or the peer's buffer was full; or answers to this side have met such
   * congestion.
   *
   * @param now engine time, nanoseconds
   */
  void notified(long now);
}
