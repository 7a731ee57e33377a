package dev.verbena.soft.engine;

/**
 * Whether packets of one queue pair's peer must have exactly the ICRC that goes with IP ID 0 and
 * don't-fragment. Over IPv4 a socket does not show ID and flags, so any of them is allowed at first
 * ({@link dev.verbena.wire.IcrcCheck}), at the price that of all single bit errors one in ten
 * thousand passes. But a peer like this device always sends ID 0. So after {@link #FIRST} exact
 * packets in a row the next must be, too.
 *
 * <p>A packet that contradicts this is dropped, and the run starts over: if the peer does use IDs,
 * because those exact packets were forged or another system has taken over its address, that costs
 * it one packet. Each time, the run that is asked for doubles, up to {@link #MOST}: whoever forges
 * exact packets in the name of a peer that uses IDs can make a few of its packets get lost, then no
 * more but by sending a million for each. And whoever forges the contrary is forgotten after as
 * many packets of the peer. Only packets from the peer's address count, and a queue pair has one of
 * these; what strangers send changes nothing.
 *
 * <p>Under the link.rx guard and that of a machine of the queue pair; reset under both.
 */
final class IcrcTrust {
  /** Exact packets in a row at first: by chance, a peer that uses IDs sends so 2^-128 often. */
  static final int FIRST = 8;

  /** Exact packets in a row after which all before is forgotten. */
  static final int MOST = 1 << 20;

  private int run;
  private int demanded = FIRST;

  /** The queue pair gets another peer. */
  void reset() {
    run = 0;
    demanded = FIRST;
  }

  /**
   * A packet has come from the peer.
   *
   * @param exact whether its ICRC is right for ID 0; if not, it is for another ID
   * @return whether to take it
   */
  boolean admits(boolean exact) {
    if (exact) {
      if (run < MOST) {
        run++;
        if (run == MOST) {
          demanded = FIRST;
        }
      }
      return true;
    }
    boolean contradicts = run >= demanded;
    if (contradicts) {
      demanded = Math.min(2 * demanded, MOST);
    }
    run = 0;
    return !contradicts;
  }
}
