package dev.verbena.interop.cases;

import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.PairSettings;
import dev.verbena.interop.sides.Side;
import dev.verbena.interop.sides.Work;
import dev.verbena.verbs.WcOpcode;
import java.io.IOException;
import java.util.List;

/** CMP_AND_SWP and FETCH_AND_ADD. */
final class AtomicCases {
  private static final long RESULT_OFF = 64;
  private static final long WORD_OFF = 4096;
  private static final long OLD = 0x0123456789abcdefL;
  private static final long NEW = 0xfedcba9876543210L;

  static List<Case> list() {
    return List.of(
        new Case("cmp-and-swp/equal", PairSettings.USUAL, pair -> compareAndSwap(pair, OLD, NEW)),
        new Case("cmp-and-swp/unequal", PairSettings.USUAL, pair -> compareAndSwap(pair, NEW, OLD)),
        new Case("fetch-and-add/adds", PairSettings.USUAL, pair -> fetchAndAdd(pair, OLD, NEW)),
        new Case("fetch-and-add/wraps", PairSettings.USUAL, pair -> fetchAndAdd(pair, -1, 3)),
        new Case(
            "cmp-and-swp/psn-wrap",
            PairSettings.USUAL.withPsn(PairSettings.LAST_PSN),
            pair -> {
              compareAndSwap(pair, OLD, NEW);
              compareAndSwap(pair, OLD, NEW);
            }),
        new Case(
            "fetch-and-add/psn-wrap",
            PairSettings.USUAL.withPsn(PairSettings.LAST_PSN),
            pair -> {
              fetchAndAdd(pair, OLD, 1);
              fetchAndAdd(pair, OLD, 2);
            }));
  }

  /** The word is {@link #OLD}; it becomes {@link #NEW} only if compared with that. */
  private static void compareAndSwap(Pair pair, long compare, long afterwards) throws IOException {
    Work work = Work.compareAndSwap(1, RESULT_OFF, compare, NEW);
    run(pair, work, WcOpcode.COMP_SWAP, OLD, afterwards);
  }

  private static void fetchAndAdd(Pair pair, long before, long add) throws IOException {
    Work work = Work.fetchAndAdd(1, RESULT_OFF, add);
    run(pair, work, WcOpcode.FETCH_ADD, before, before + add);
  }

  private static void run(Pair pair, Work work, WcOpcode opcode, long before, long afterwards)
      throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    for (long off = -Long.BYTES; off <= Long.BYTES; off += Long.BYTES) {
      Words.put(initiator, RESULT_OFF + off, off);
      Words.put(target, WORD_OFF + off, off);
    }
    Words.put(target, WORD_OFF, before);
    initiator.post(work.at(target.addr() + WORD_OFF, target.rkey()));
    pair.await(initiator, work.wrId(), opcode);
    pair.expectNone(target);
    Words.expect(initiator, RESULT_OFF, before);
    Words.expect(target, WORD_OFF, afterwards);
    for (long off : new long[] {-Long.BYTES, Long.BYTES}) {
      Words.expect(initiator, RESULT_OFF + off, off);
      Words.expect(target, WORD_OFF + off, off);
    }
  }

  private AtomicCases() {}
}
