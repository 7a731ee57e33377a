package dev.verbena.interop.cases;

import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.PairSettings;
import dev.verbena.interop.sides.Side;
import dev.verbena.interop.sides.Work;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.util.List;

/** FLUSH and ATOMIC_WRITE. */
final class FlushCases {
  private static final int SIZE = 5000;
  private static final long SOURCE_OFF = 256;
  private static final long SINK_OFF = 16384;
  private static final int SEED = 19;
  private static final int OTHER_SEED = 6;
  private static final int ROUNDS = 8;
  private static final long VALUE = 0x0123456789abcdefL;

  static List<Case> list() {
    PairSettings settings =
        PairSettings.USUAL
            .withRegionAccess(Access.FLUSH_GLOBAL)
            .withQpAccess(Access.FLUSH_GLOBAL)
            .withSendOps(SendOps.FLUSH | SendOps.ATOMIC_WRITE);
    return List.of(
        new Case("flush/range", settings, FlushCases::flushRange),
        new Case("flush/region", settings, pair -> flush(pair, FlushType.GLOBAL, FlushLevel.MR)),
        new Case("flush/psn-wrap", settings.withPsn(PairSettings.LAST_PSN), FlushCases::flushRange),
        new Case(
                "flush/persistent",
                settings
                    .withRegionAccess(Access.FLUSH_PERSISTENT)
                    .withQpAccess(Access.FLUSH_PERSISTENT),
                FlushCases::persistent)
            .withoutLoss(),
        new Case("flush/pipelined", settings, FlushCases::pipelined),
        new Case(
                "flush/unknown-key",
                settings,
                pair -> refused(pair, flushOf(pair, FlushType.GLOBAL, 0x5a5a0000)))
            .withoutLoss(),
        new Case(
                "flush/region-forbids",
                settings.withoutRegionAccess(Access.FLUSH_GLOBAL),
                pair -> refused(pair, flushOf(pair, FlushType.GLOBAL, 0)))
            .withoutLoss(),
        new Case(
                "flush/region-forbids-persistent",
                settings.withQpAccess(Access.FLUSH_PERSISTENT),
                pair -> refused(pair, flushOf(pair, FlushType.PERSISTENT, 0)))
            .withoutLoss(),
        new Case(
                "flush/qp-forbids-persistent",
                settings,
                pair ->
                    refused(pair, flushOf(pair, FlushType.PERSISTENT, 0), WcStatus.REM_INV_REQ_ERR))
            .withoutLoss(),
        new Case("flush/beyond-region", settings, FlushCases::beyond).withoutLoss(),
        new Case("atomic-write/one", settings, pair -> atomicWrites(pair, 1)),
        new Case("atomic-write/many", settings, pair -> atomicWrites(pair, ROUNDS)),
        new Case(
            "atomic-write/psn-wrap",
            settings.withPsn(PairSettings.LAST_PSN),
            pair -> atomicWrites(pair, 2)),
        new Case("atomic-write/flush-after-it", settings, FlushCases::flushedAtomicWrite),
        new Case(
                "atomic-write/region-forbids",
                settings.withoutRegionAccess(Access.REMOTE_WRITE),
                FlushCases::forbiddenAtomicWrite)
            .withoutLoss());
  }

  private static Work flushOf(Pair pair, int type, int spoil) {
    Side target = pair.target();
    return Work.flush(2, SIZE)
        .flushing(type, FlushLevel.RANGE)
        .at(target.addr() + SINK_OFF, target.rkey() ^ spoil);
  }

  private static void flushRange(Pair pair) throws IOException {
    flush(pair, FlushType.GLOBAL, FlushLevel.RANGE);
  }

  private static void persistent(Pair pair) throws IOException {
    if (pair.target().isPersistent()) {
      flush(pair, FlushType.GLOBAL | FlushType.PERSISTENT, FlushLevel.RANGE);
    } else {
      refused(pair, flushOf(pair, FlushType.PERSISTENT, 0));
    }
  }

  private static void flush(Pair pair, int type, FlushLevel level) throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    initiator.fill(SOURCE_OFF, SIZE, SEED);
    target.fill(SINK_OFF, SIZE, OTHER_SEED);
    long address = target.addr() + SINK_OFF;
    initiator.post(Work.of(WrOpcode.RDMA_WRITE, 1, SOURCE_OFF, SIZE).at(address, target.rkey()));
    initiator.post(flushOf(pair, type, 0).flushing(type, level));
    pair.await(initiator, 1, WcOpcode.RDMA_WRITE);
    pair.await(initiator, 2, WcOpcode.FLUSH);
    target.check(SINK_OFF, SIZE, SEED);
    pair.expectNone(initiator);
    pair.expectNone(target);
  }

  /** WRITEs, each followed by a FLUSH, all in flight at once. */
  private static void pipelined(Pair pair) throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    for (int i = 0; i < ROUNDS; i++) {
      initiator.fill(SOURCE_OFF + (long) i * SIZE, SIZE, SEED + i);
    }
    for (int i = 0; i < ROUNDS; i++) {
      long address = target.addr() + SINK_OFF + (long) i * SIZE;
      initiator.post(
          Work.of(WrOpcode.RDMA_WRITE, 2L * i, SOURCE_OFF + (long) i * SIZE, SIZE)
              .at(address, target.rkey()));
      initiator.post(Work.of(WrOpcode.FLUSH, 2L * i + 1, 0, SIZE).at(address, target.rkey()));
    }
    for (int i = 0; i < ROUNDS; i++) {
      pair.await(initiator, 2L * i, WcOpcode.RDMA_WRITE);
      pair.await(initiator, 2L * i + 1, WcOpcode.FLUSH);
    }
    for (int i = 0; i < ROUNDS; i++) {
      target.check(SINK_OFF + (long) i * SIZE, SIZE, SEED + i);
    }
  }

  private static void beyond(Pair pair) throws IOException {
    Side target = pair.target();
    long address = target.addr() + PairSettings.BUFFER - SIZE + 1;
    refused(pair, Work.flush(2, SIZE).at(address, target.rkey()));
  }

  private static void refused(Pair pair, Work work) throws IOException {
    refused(pair, work, WcStatus.REM_ACCESS_ERR);
  }

  private static void refused(Pair pair, Work work, WcStatus status) throws IOException {
    pair.initiator().post(work);
    pair.await(pair.initiator(), work.wrId(), status);
    pair.awaitState(pair.initiator(), QpState.ERR);
    pair.awaitState(pair.target(), QpState.ERR);
  }

  private static void atomicWrites(Pair pair, int count) throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    Words.put(target, SINK_OFF - Long.BYTES, -1);
    for (int i = 0; i <= count; i++) {
      Words.put(initiator, SOURCE_OFF + (long) i * Long.BYTES, VALUE + i);
      Words.put(target, SINK_OFF + (long) i * Long.BYTES, -1);
    }
    for (int i = 0; i < count; i++) {
      initiator.post(atomicWrite(pair, i, i));
    }
    for (int i = 0; i < count; i++) {
      pair.await(initiator, i, WcOpcode.ATOMIC_WRITE);
    }
    for (int i = 0; i < count; i++) {
      Words.expect(target, SINK_OFF + (long) i * Long.BYTES, VALUE + i);
    }
    Words.expect(target, SINK_OFF - Long.BYTES, -1);
    Words.expect(target, SINK_OFF + (long) count * Long.BYTES, -1);
    pair.expectNone(target);
  }

  private static Work atomicWrite(Pair pair, long wrId, int word) {
    long off = (long) word * Long.BYTES;
    return Work.atomicWrite(wrId, SOURCE_OFF + off)
        .at(pair.target().addr() + SINK_OFF + off, pair.target().rkey());
  }

  /** The purpose of the two operations: data first, then a flag that announces them. */
  private static void flushedAtomicWrite(Pair pair) throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    Words.put(initiator, SOURCE_OFF, VALUE);
    Words.put(target, SINK_OFF, 0);
    initiator.post(atomicWrite(pair, 1, 0));
    initiator.post(Work.flush(2, Long.BYTES).at(target.addr() + SINK_OFF, target.rkey()));
    initiator.post(Work.fetchAndAdd(3, SOURCE_OFF, 1).at(target.addr() + SINK_OFF, target.rkey()));
    pair.await(initiator, 1, WcOpcode.ATOMIC_WRITE);
    pair.await(initiator, 2, WcOpcode.FLUSH);
    pair.await(initiator, 3, WcOpcode.FETCH_ADD);
    Words.expect(initiator, SOURCE_OFF, VALUE);
    Words.expect(target, SINK_OFF, VALUE + 1);
  }

  private static void forbiddenAtomicWrite(Pair pair) throws IOException {
    Words.put(pair.initiator(), SOURCE_OFF, VALUE);
    Words.put(pair.target(), SINK_OFF, -1);
    refused(pair, atomicWrite(pair, 1, 0));
    Words.expect(pair.target(), SINK_OFF, -1);
  }

  private FlushCases() {}
}
