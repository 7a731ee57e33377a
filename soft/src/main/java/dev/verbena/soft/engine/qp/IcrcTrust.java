package dev.verbena.soft.engine.qp;

/**
 * Whether packets of one queue pair's peer must have exactly the ICRC that goes with IP ID 0 and
 * don't-fragment, or with the place of a packet in a run that has arrived as one. Over IPv4 a
 * socket does not show ID and flags, so any of them is allowed at first ({@link
 * dev.verbena.wire.IcrcCheck}), at the cost of missing one single-bit error in ten thousand. But a
 * peer like this device sends ID 0. So after {@link #RUN} exact packets in a row the next must be
 * exact, too.
 *
 * <p>A packet that is not exact is then dropped, and the count starts over. If the peer does use
 * IDs, because the exact packets were forged, another system has taken over its address, or the
 * packets of its runs arrive one by one (GSO), that costs it one packet. At the {@link
 * #CONTRADICTIONS}th such packet the peer is known to use IDs, and nothing more is demanded of it
 * until the queue pair is connected again. So no peer loses more than these packets.
 *
 * <p>Only packets that may be the peer's are judged: those that the queue pair takes in its state,
 * from the peer's address and in its partition. An exact one counts if it has the next PSN, or that
 * of an awaited answer, which an off-path sender hardly knows. A packet that is not exact counts
 * whatever its PSN, because a peer that repeats itself must get through in the end. So a sender who
 * uses the peer's name and knows the queue pair's number can end the demand; then the check that
 * allows IP IDs remains.
 *
 * <p>Used under the link.rx guard and that of a machine of the queue pair; reset under both.
 */
public final class IcrcTrust {
  /** Exact packets in a row: a peer that uses IDs sends them by chance with probability 2^-128. */
  public static final int RUN = 8;

  /** Packets that a peer with IDs may lose. */
  public static final int CONTRADICTIONS = 4;

  /** Is told whether the peer numbers its packets as this device does, whenever that changes. */
  private final Proven proven;

  private int run;
  private int contradictions;

  /** Who wants to know about the peer. */
  interface Proven {
    void tell(boolean whether);
  }

  IcrcTrust(Proven proven) {
    this.proven = proven;
  }

  /** The queue pair gets another peer. */
  void reset() {
    startOver();
    contradictions = 0;
  }

  private void startOver() {
    if (run == RUN) {
      proven.tell(false);
    }
    run = 0;
  }

  /**
   * Judges a packet that comes from the peer according to its headers.
   *
   * @param exact whether its ICRC is right for ID 0; otherwise it is right for another ID
   * @param inSequence whether its PSN is one that the peer would send now
   * @return whether to accept it
   */
  boolean admits(boolean exact, boolean inSequence) {
    if (exact) {
      if (inSequence && run < RUN) {
        run++;
        if (run == RUN) {
          proven.tell(true);
        }
      }
      return true;
    }
    boolean contradicts = run == RUN && contradictions < CONTRADICTIONS;
    if (contradicts) {
      contradictions++;
    }
    startOver();
    return !contradicts;
  }
}
