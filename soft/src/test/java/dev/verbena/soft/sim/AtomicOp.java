package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;
import java.util.Collection;

/** Compare and swap, or fetch and add. */
final class AtomicOp extends Op {
  private static final int WORDS = 4;

  private final boolean swaps;
  private final Remote remote;
  private final Payload landing;
  private final long compareAdd;
  private final long swap;

  AtomicOp(long wrId, boolean swaps, Remote remote, Payload landing, long compareAdd, long swap) {
    super(
        swaps ? WrOpcode.ATOMIC_CMP_AND_SWP : WrOpcode.ATOMIC_FETCH_AND_ADD,
        swaps ? WcOpcode.COMP_SWAP : WcOpcode.FETCH_ADD,
        wrId);
    this.swaps = swaps;
    this.remote = remote;
    this.landing = landing;
    this.compareAdd = compareAdd;
    this.swap = swap;
  }

  static Op compareAndSwap(Lane lane, long wrId, Dice dice) {
    return draw(lane, wrId, true, dice);
  }

  static Op fetchAndAdd(Lane lane, long wrId, Dice dice) {
    return draw(lane, wrId, false, dice);
  }

  /** One of few words, so that operations conflict. */
  static Remote someWord(Lane lane, Dice dice) {
    return lane.target().at(Long.BYTES * dice.below(WORDS), Long.BYTES, dice);
  }

  private static Op draw(Lane lane, long wrId, boolean swaps, Dice dice) {
    Remote remote = someWord(lane, dice);
    return new AtomicOp(
        wrId, swaps, remote, lane.landing(wrId, Long.BYTES), dice.below(4), dice.below(4));
  }

  @Override
  void describe(SendWr wr) {
    wr.rkey(remote.rkey()).remoteAddr(remote.addr()).compareAdd(compareAdd).swap(swap);
    landing.put(wr);
  }

  @Override
  void describe(QueuePairEx qp) {
    if (swaps) {
      qp.wrAtomicCmpSwp(remote.rkey(), remote.addr(), compareAdd, swap);
    } else {
      qp.wrAtomicFetchAdd(remote.rkey(), remote.addr(), compareAdd);
    }
    landing.put(qp);
  }

  @Override
  Change changeOf(Shadow before) {
    long found = before.word(remote.offset());
    if (swaps && found != compareAdd) {
      return Change.NONE;
    }
    return new Change(remote.offset(), Shadow.bytes(swaps ? swap : found + compareAdd));
  }

  @Override
  void checkResult(Target target, Collection<Op> later) {
    assertThat(landing.landed())
        .as("result of %s", this)
        .isEqualTo(Shadow.bytes(target.shadow().word(remote.offset())));
  }

  @Override
  int length() {
    return Long.BYTES;
  }
}
