package dev.verbena.interop.cases;

import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.interop.sides.Completion;
import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.PairSettings;
import dev.verbena.interop.sides.Side;
import dev.verbena.interop.sides.Work;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/**
 * Memory windows of type 2, which the target binds and the initiator uses: through them, beyond
 * them, and after an invalidation by either side.
 */
final class WindowCases {
  private static final int SIZE = 3000;
  private static final long WINDOW_OFF = 16384;
  private static final long OFF = 512;
  private static final int SEED = 51;
  private static final int OTHER_SEED = 8;
  private static final int BIND = 7;
  private static final int ALL = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  static List<Case> list() {
    PairSettings settings = PairSettings.USUAL.withRegionAccess(Access.MW_BIND);
    return List.of(
        new Case("window/write-and-read", settings, WindowCases::writeAndRead),
        new Case("window/atomic", settings, WindowCases::atomic),
        new Case("window/two-at-once", settings, WindowCases::twoAtOnce),
        new Case("window/send-with-inv", settings, WindowCases::sendWithInvalidate),
        new Case("window/rebound", settings, WindowCases::rebound),
        new Case("window/beyond", settings, WindowCases::beyond).withoutLoss(),
        new Case("window/read-only", settings, WindowCases::readOnly).withoutLoss(),
        new Case("window/used-after-send-with-inv", settings, WindowCases::usedAfterRemote)
            .withoutLoss(),
        new Case("window/used-after-local-inv", settings, WindowCases::usedAfterLocal)
            .withoutLoss());
  }

  private static int bind(Pair pair, int access) throws IOException {
    Side target = pair.target();
    int key = target.bindWindow(BIND, WINDOW_OFF, SIZE, access);
    pair.await(target, BIND, WcOpcode.BIND_MW);
    return key;
  }

  private static Work work(Pair pair, WrOpcode opcode, long wrId, long off, int key) {
    return Work.of(opcode, wrId, off, SIZE).at(pair.target().addr() + WINDOW_OFF, key);
  }

  /** Writes a pattern through the window and reads it back. */
  private static void use(Pair pair, int key, int seed) throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    initiator.fill(OFF, SIZE, seed);
    initiator.fill(OFF + SIZE, SIZE, OTHER_SEED);
    target.fill(WINDOW_OFF, SIZE, OTHER_SEED);
    initiator.post(work(pair, WrOpcode.RDMA_WRITE, 1, OFF, key));
    initiator.post(work(pair, WrOpcode.RDMA_READ, 2, OFF + SIZE, key));
    pair.await(initiator, 1, WcOpcode.RDMA_WRITE);
    pair.await(initiator, 2, WcOpcode.RDMA_READ);
    target.check(WINDOW_OFF, SIZE, seed);
    initiator.check(OFF + SIZE, SIZE, seed);
  }

  private static void writeAndRead(Pair pair) throws IOException {
    use(pair, bind(pair, ALL), SEED);
    pair.expectNone(pair.target());
  }

  private static void atomic(Pair pair) throws IOException {
    int key = bind(pair, ALL);
    Words.put(pair.target(), WINDOW_OFF, 41);
    pair.initiator().post(Work.fetchAndAdd(1, OFF, 1).at(pair.target().addr() + WINDOW_OFF, key));
    pair.await(pair.initiator(), 1, WcOpcode.FETCH_ADD);
    Words.expect(pair.initiator(), OFF, 41);
    Words.expect(pair.target(), WINDOW_OFF, 42);
  }

  private static void twoAtOnce(Pair pair) throws IOException {
    int first = bind(pair, ALL);
    int second = bind(pair, ALL);
    use(pair, first, SEED);
    use(pair, second, SEED + 1);
  }

  private static void sendWithInvalidate(Pair pair) throws IOException {
    int key = bind(pair, ALL);
    use(pair, key, SEED);
    invalidateFromRemote(pair, key);
    pair.expectNone(pair.target());
  }

  /** The initiator sends a message that invalidates the key, and the target is told so. */
  private static void invalidateFromRemote(Pair pair, int key) throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    target.postRecv(4, 0, SIZE, 1);
    initiator.fill(OFF, SIZE, SEED);
    initiator.post(Work.of(WrOpcode.SEND_WITH_INV, 3, OFF, SIZE).at(0, key));
    pair.await(initiator, 3, WcOpcode.SEND);
    Completion wc = pair.awaitReceive(target, 4, WcOpcode.RECV, SIZE);
    target.check(0, SIZE, SEED);
    if (!wc.invalidated().equals(OptionalInt.of(key))) {
      throw new CaseFailure(
          String.format(
              "%s: expected that 0x%08x was invalidated, got %s", target.name(), key, wc));
    }
  }

  private static void rebound(Pair pair) throws IOException {
    int first = bind(pair, ALL);
    use(pair, first, SEED);
    invalidateFromRemote(pair, first);
    use(pair, bind(pair, ALL), SEED + 1);
  }

  /** One byte beyond the window. rxe checks only the region's bounds. */
  private static void beyond(Pair pair) throws IOException {
    int key = bind(pair, ALL);
    long address = pair.target().addr() + WINDOW_OFF + 1;
    Work work = Work.of(WrOpcode.RDMA_WRITE, 1, OFF, SIZE).at(address, key);
    if (pair.target().isKernel()) {
      pair.initiator().post(work);
      pair.await(pair.initiator(), 1, WcOpcode.RDMA_WRITE);
    } else {
      refused(pair, work);
    }
  }

  private static void readOnly(Pair pair) throws IOException {
    int key = bind(pair, Access.REMOTE_READ);
    refused(pair, work(pair, WrOpcode.RDMA_WRITE, 1, OFF, key));
  }

  private static void usedAfterRemote(Pair pair) throws IOException {
    int key = bind(pair, ALL);
    invalidateFromRemote(pair, key);
    refused(pair, work(pair, WrOpcode.RDMA_WRITE, 1, OFF, key));
  }

  private static void usedAfterLocal(Pair pair) throws IOException {
    int key = bind(pair, ALL);
    use(pair, key, SEED);
    pair.target().post(Work.localInvalidate(5, key));
    pair.await(pair.target(), 5, WcOpcode.LOCAL_INV);
    refused(pair, work(pair, WrOpcode.RDMA_WRITE, 1, OFF, key));
  }

  private static void refused(Pair pair, Work work) throws IOException {
    Side target = pair.target();
    target.fill(WINDOW_OFF, SIZE + 1, OTHER_SEED);
    pair.initiator().post(work);
    pair.await(pair.initiator(), work.wrId(), WcStatus.REM_ACCESS_ERR);
    pair.awaitState(pair.initiator(), QpState.ERR);
    pair.awaitState(target, QpState.ERR);
    target.check(WINDOW_OFF, SIZE + 1, OTHER_SEED);
  }

  private WindowCases() {}
}
