package dev.verbena.soft.transport;

import java.util.EnumSet;
import java.util.Set;

/**
 * Deliberate mistakes of the protocol machines, so that tests can show that the simulation would
 * notice them. A device that an application opens always has {@link #NONE}: only the engine's test
 * constructor takes another one.
 */
public final class Sabotage {
  /** A mistake. */
  public enum Mistake {
    /** The responder executes a repeated SEND or WRITE again. */
    EXECUTE_DUPLICATES,
    /** The responder executes a repeated atomic again. */
    RERUN_ATOMICS,
    /** The last of the flushed send requests gets no completion. */
    LOSE_A_FLUSH,
    /** A signaled request completes although an unanswered READ is before it. */
    COMPLETE_PAST_READ,
    /** A WRITE needs no right and is checked packet by packet only. */
    SKIP_RIGHTS_CHECK,
    /** A READ that is resumed in the middle lands at the start again. */
    RESUME_READ_AT_START,
    /** A signaled request completes twice if it was retransmitted. */
    COMPLETE_TWICE,
    /** A packet ahead of the expected one is executed. */
    ACCEPT_GAPS,
    /** The last packet of a message is not stored. */
    LOSE_THE_END,
    /** A refused request lets the queue pair go on. */
    SURVIVE_ERRORS,
    /** The responder executes a repeated ATOMIC_WRITE again. */
    RERUN_ATOMIC_WRITES,
    /** A FLUSH ahead of the expected packet is answered. */
    FLUSH_PAST_GAPS,
    /** The receive that a failing queue pair has taken from a shared queue gets no completion. */
    LOSE_A_SHARED_RECEIVE,
    /** An unreliable message goes on behind a packet that was lost. */
    DELIVER_HOLES,
    /** An unreliable message that comes late, or once more, is delivered. */
    DELIVER_LATE,
    /** A datagram needs no Q_Key. */
    SKIP_QKEY_CHECK,
    /** The invalidation of a window by its owner does nothing. */
    IGNORE_LOCAL_INVALIDATION,
    /** The invalidation of a window by the peer does nothing. */
    IGNORE_REMOTE_INVALIDATION,
    /** A window may be used through any queue pair. */
    IGNORE_WINDOW_OWNER
  }

  /** No mistake. */
  public static final Sabotage NONE = new Sabotage(Set.of());

  private final Set<Mistake> mistakes;

  Sabotage(Set<Mistake> mistakes) {
    this.mistakes = mistakes.isEmpty() ? Set.of() : EnumSet.copyOf(mistakes);
  }

  /** Whether this mistake is to be made. */
  public boolean makes(Mistake mistake) {
    return this != NONE && mistakes.contains(mistake);
  }
}
