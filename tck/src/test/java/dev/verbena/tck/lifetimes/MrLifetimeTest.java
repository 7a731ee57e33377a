package dev.verbena.tck.lifetimes;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Background;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * Memory that disappears while it is in use: nothing crashes, the requests fail, and everything
 * else goes on.
 */
final class MrLifetimeTest {
  private static final long BIG = 1 << 20;

  @OnEveryLink
  void deregistrationFailsTheSendThatStillNamesTheRegion(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      MemoryRegion mr = left.pd().regMr(left.mr().memory(), LOCAL_WRITE);
      left.qp().modify(new QpAttr().qpState(QpState.SQD));
      left.qp().postSend(SendWrs.write(1, pair.right(), 0, mr.sge(64, 0)));

      mr.dereg();

      left.awaitDrained();
      left.qp().modify(new QpAttr().qpState(QpState.RTS));
      left.awaitSend(1, WcStatus.LOC_PROT_ERR);
    }
  }

  @OnEveryLink
  void deregistrationFailsTheReceiveThatStillNamesTheRegion(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd right = pair.right();
      MemoryRegion mr = right.pd().regMr(right.mr().memory(), LOCAL_WRITE);
      right.qp().postRecv(new RecvWr().wrId(1).sgList(mr.sge(64, 0)));

      mr.dereg();

      pair.left().qp().postSend(SendWrs.send(2, pair.left().sge(0, 64)));
      pair.left().awaitSend(2, WcStatus.REM_OP_ERR);
      assertThat(right.awaitRecv(1).status()).isIn(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR);
    }
  }

  @OnEveryLink
  void afterDeregistrationTheMemoryIsTheProgramsAlone(TckLink link) {
    PairSetup setup = PairSetup.on(link).mrBytes(BIG);
    try (QpPair first = setup.open()) {
      MemorySegment target = Arena.ofAuto().allocate(BIG);
      QpPair pair = first;
      for (int round = 0; round < 8; round++) {
        QpPair writing = pair;
        target.fill((byte) 0);
        MemoryRegion mr = writing.right().pd().regMr(target, LOCAL_WRITE, REMOTE_WRITE);
        Background<WorkCompletion> writer =
            Background.call(() -> writing.writeUntilRefused(BIG, mr.rkey(), mr.addr()));
        Await.until("the first bytes", () -> target.get(ValueLayout.JAVA_BYTE, 0) == 1);

        mr.dereg();

        target.fill((byte) 2);
        writing.left().assertSendStatus(resultOf(writer), WcStatus.REM_ACCESS_ERR);
        for (long at = 0; at < BIG; at += Long.BYTES) {
          assertThat(target.get(ValueLayout.JAVA_LONG, at)).isEqualTo(0x0202_0202_0202_0202L);
        }
        pair = setup.another(pair);
      }
    }
  }

  @OnEveryLink
  void aFreedArenaAnswersAPeerThatWritesLikeAnInvalidKey(TckLink link) {
    PairSetup setup = PairSetup.on(link).mrBytes(BIG);
    try (QpPair pair = setup.open()) {
      Arena arena = Arena.ofShared();
      MemorySegment target = arena.allocate(BIG);
      MemoryRegion mr = pair.right().pd().regMr(target, LOCAL_WRITE, REMOTE_WRITE);
      Background<WorkCompletion> writer =
          Background.call(() -> pair.writeUntilRefused(BIG, mr.rkey(), mr.addr()));
      Await.until("the first bytes", () -> target.get(ValueLayout.JAVA_BYTE, 0) == 1);

      Await.until("the arena to close", () -> closes(arena));

      pair.left().assertSendStatus(resultOf(writer), WcStatus.REM_ACCESS_ERR);
      pair.right().awaitState(QpState.ERR);
      mr.dereg();
      assertStillServes(setup, pair);
    }
  }

  @OnEveryLink
  void aFreedArenaFailsTheSendThatReadsIt(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open()) {
      Arena arena = Arena.ofShared();
      MemoryRegion mr = pair.left().pd().regMr(arena.allocate(4096), LOCAL_WRITE);
      SendWr wr = SendWrs.write(1, pair.right(), 0, mr.sge(64, 0));
      arena.close();

      if (link == TckLink.NATIVE) {
        // A driver would not notice.
        Refused.of(() -> pair.left().qp().postSend(wr), Errno.EINVAL).naming("SGE 0", "gone");
      } else {
        pair.left().qp().postSend(wr);
        pair.left().awaitSend(1, WcStatus.LOC_PROT_ERR);
      }
      assertStillServes(setup, pair);
    }
  }

  @OnEveryLink
  void aFreedArenaFailsTheReceiveThatNamesIt(TckLink link) {
    PairSetup setup = PairSetup.on(link);
    try (QpPair pair = setup.open()) {
      QpEnd right = pair.right();
      Arena arena = Arena.ofShared();
      MemoryRegion mr = right.pd().regMr(arena.allocate(4096), LOCAL_WRITE);
      right.postRecv(1, mr.sge(64, 0));
      arena.close();

      pair.left().qp().postSend(SendWrs.send(2, pair.left().sge(0, 64)));

      pair.left().awaitSend(2, WcStatus.REM_OP_ERR);
      assertThat(right.awaitRecv(1).isSuccess()).isFalse();
      assertStillServes(setup, pair);
    }
  }

  @OnEveryLink
  void aRegisteredDirectBufferStaysReachable(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
      WeakReference<ByteBuffer> reference = new WeakReference<>(buffer);
      MemoryRegion mr = pair.right().pd().regMr(buffer, LOCAL_WRITE, REMOTE_WRITE);
      buffer = null;
      collectGarbage();

      assertThat(reference.refersTo(null)).as("the buffer was collected").isFalse();
      byte[] data = pair.left().fill(0, 4096, 11);
      pair.left()
          .qp()
          .postSend(
              SendWrs.write(1, pair.right(), 0, pair.left().sge(0, 4096))
                  .rkey(mr.rkey())
                  .remoteAddr(mr.addr()));
      pair.left().sent(1);
      assertThat(mr.memory().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(data);
    }
  }

  private static <T> T resultOf(Background<T> call) {
    try {
      return call.result();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Closing may be refused while a copy or a system call uses the memory; then it is retried. */
  private static boolean closes(Arena arena) {
    try {
      arena.close();
      return true;
    } catch (IllegalStateException busy) {
      return false;
    }
  }

  /** Other queue pairs of both devices still move data. */
  private static void assertStillServes(PairSetup setup, QpPair pair) {
    QpPair next = setup.another(pair);
    QpEnd left = next.left();
    QpEnd right = next.right();
    byte[] data = left.fill(0, 5000, 12);
    left.qp().postSend(SendWrs.write(3, right, 0, left.sge(0, 5000)));
    left.sent(3);
    assertThat(right.bytes(0, 5000)).isEqualTo(data);
  }

  /** Returns when an unreachable object has been collected. */
  private static void collectGarbage() {
    WeakReference<Object> canary = new WeakReference<>(new Object());
    Await.until(
        "a garbage collection",
        () -> {
          System.gc();
          return canary.refersTo(null);
        });
  }
}
