package dev.verbena.interop.cases;

import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.interop.sides.Completion;
import dev.verbena.interop.sides.Side;
import dev.verbena.interop.sides.Work;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/**
 * Many operations of all kinds in flight at once, from one side to the other. Both sides can have
 * one at the same time, because a side's areas as source and as target do not overlap.
 */
final class MixedStream {
  private static final int SLOTS = 8;
  private static final int WRITE_BYTES = 5000;
  private static final int READ_BYTES = 3000;
  private static final int SEND_BYTES = 100;
  private static final long SLOT = 8192;
  private static final int AREA = 1 << 16; // SLOTS times SLOT

  // Offsets at the initiator.
  private static final long WRITE_FROM = 0;
  private static final long READ_INTO = AREA;
  private static final long RESULTS = 2 * AREA;
  // Offsets at the target.
  private static final long READ_FROM = 3 * AREA;
  private static final long WRITE_INTO = 4 * AREA;
  private static final long RECEIVES = 5 * AREA;
  private static final long SUM = 6 * AREA;

  private static final int OPERATIONS = 4;
  private static final WcOpcode[] COMPLETED_AS = {
    WcOpcode.RDMA_WRITE, WcOpcode.FETCH_ADD, WcOpcode.RDMA_READ, WcOpcode.SEND
  };

  private final Side from;
  private final Side to;
  private final int seed;
  private long sum;

  MixedStream(Side from, Side to) {
    this.from = from;
    this.to = to;
    seed = from.isKernel() ? 50 : 60;
    sum = from.isKernel() ? 1L << 40 : 1L << 50;
  }

  /** Fills the buffers and posts the receives. */
  void prepare(int round) throws IOException {
    if (round == 0) {
      Words.put(to, SUM, sum);
    }
    from.fill(READ_INTO, AREA, 0);
    to.fill(WRITE_INTO, AREA, 0);
    for (int slot = 0; slot < SLOTS; slot++) {
      from.fill(WRITE_FROM + slot * SLOT, WRITE_BYTES, seed(round, slot));
      to.fill(READ_FROM + slot * SLOT, READ_BYTES, seed(round, slot) + 1);
      to.postRecv(slot, RECEIVES + slot * SLOT, SEND_BYTES, 1);
    }
  }

  private int seed(int round, int slot) {
    return seed + 20 * round + 3 * slot;
  }

  /** Posts all operations. */
  void post() throws IOException {
    for (int slot = 0; slot < SLOTS; slot++) {
      long wrId = (long) slot * OPERATIONS;
      long off = slot * SLOT;
      from.post(
          Work.of(WrOpcode.RDMA_WRITE, wrId, WRITE_FROM + off, WRITE_BYTES)
              .at(to.addr() + WRITE_INTO + off, to.rkey()));
      from.post(
          Work.fetchAndAdd(wrId + 1, RESULTS + (long) slot * Long.BYTES, slot + 1)
              .at(to.addr() + SUM, to.rkey()));
      from.post(
          Work.of(WrOpcode.RDMA_READ, wrId + 2, READ_INTO + off, READ_BYTES)
              .at(to.addr() + READ_FROM + off, to.rkey()));
      from.post(
          Work.of(WrOpcode.SEND_WITH_IMM, wrId + 3, WRITE_FROM + off, SEND_BYTES).withImm(~slot));
    }
  }

  /** The number of send completions of {@link #post()}. */
  static int sends() {
    return SLOTS * OPERATIONS;
  }

  /** The number of receive completions at the other side. */
  static int receives() {
    return SLOTS;
  }

  /** Checks that the initiator's completions came in order, each a success. */
  void checkSends(List<Completion> completions) {
    checkCount(from, "sends", completions.size(), sends());
    for (int i = 0; i < completions.size(); i++) {
      Completion wc = completions.get(i);
      if (wc.wrId() != i
          || wc.status() != WcStatus.SUCCESS
          || wc.opcode() != COMPLETED_AS[i % OPERATIONS]) {
        throw new CaseFailure(from.name() + ": send " + i + " completed as " + wc);
      }
    }
  }

  /** Checks that the other side's receives came in order, each a success. */
  void checkReceives(List<Completion> completions) {
    checkCount(to, "receives", completions.size(), receives());
    for (int slot = 0; slot < completions.size(); slot++) {
      Completion wc = completions.get(slot);
      if (wc.wrId() != slot
          || wc.byteLen() != SEND_BYTES
          || !wc.imm().equals(OptionalInt.of(~slot))) {
        throw new CaseFailure(to.name() + ": receive " + slot + " completed as " + wc);
      }
    }
  }

  private static void checkCount(Side side, String what, int found, int wanted) {
    if (found != wanted) {
      throw new CaseFailure(side.name() + ": " + found + " " + what + ", expected " + wanted);
    }
  }

  /** Checks that all data arrived, and each atomic ran once, in order. */
  void checkData(int round) throws IOException {
    for (int slot = 0; slot < SLOTS; slot++) {
      long off = slot * SLOT;
      to.check(WRITE_INTO + off, WRITE_BYTES, seed(round, slot));
      to.check(RECEIVES + off, SEND_BYTES, seed(round, slot));
      from.check(READ_INTO + off, READ_BYTES, seed(round, slot) + 1);
      Words.expect(from, RESULTS + (long) slot * Long.BYTES, sum);
      sum += slot + 1;
    }
    Words.expect(to, SUM, sum);
  }
}
