package dev.verbena.soft.transport;

/**
 * Decides what a connected queue pair may have in flight to its destination, from what it hears of
 * the way there. Each queue pair has one, under its requester guard; those to one destination may
 * share state behind it. A healthy path's share of the receiver's buffer comes in as what the
 * {@link Path} takes.
 */
public interface CongestionControl {
  /** A new connection: nothing was heard of the way so far. */
  void reset();

  /**
   * How many PSNs may be unanswered.
   *
   * @param ofPath what the path takes, at least 1
   * @return at least 1, at most {@code ofPath}
   */
  int limit(int ofPath);

  /**
   * Whether it wants to hear what arrives at the moment; if not, nothing is measured, which costs a
   * look at the clock for each answer.
   */
  boolean listens();

  /** So many PSNs were acknowledged; told only while it {@link #listens}. */
  void arrived(int psns);

  /**
   * The peer has answered what was not repeated in so many nanoseconds; told only while it {@link
   * #listens}.
   */
  void answeredIn(long nanos);

  /**
   * A packet or its answer was lost, or has come before its turn: a responder keeps nothing behind
   * a gap, so that costs as much.
   */
  void lost();

  /** The peer has seen packets that the network had marked, and has sent a CNP. */
  void notified();
}
