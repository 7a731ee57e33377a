package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;

/** Writes of 8 bytes at once (S5.4.4). */
final class AtomicWriteTest {
  private static final long CELL = 4096;
  private static final long SOURCE = 64;

  private static QpPair open(TckLink link) {
    return PairSetup.on(link).sendOps(PairSetup.RC_OPS, SendOps.ATOMIC_WRITE).open();
  }

  private static SendWr wr(long wrId, long remoteAddr, int rkey, Sge... data) {
    return new SendWr()
        .wrId(wrId)
        .opcode(WrOpcode.ATOMIC_WRITE)
        .sendFlags(SendFlags.SIGNALED)
        .remoteAddr(remoteAddr)
        .rkey(rkey)
        .sgList(data);
  }

  /** Posts a value: ibv_post_send takes it from memory, the builder as an argument. */
  private static void post(
      QpPair pair, PostingApi api, long wrId, long remoteAddr, int rkey, long value) {
    QpEnd left = pair.left();
    if (api == PostingApi.POST_SEND) {
      left.setLong(SOURCE, value);
      left.qp().postSend(wr(wrId, remoteAddr, rkey, left.sge(SOURCE, 3), left.sge(SOURCE + 3, 5)));
    } else {
      left.qp().wrStart();
      left.qp().wrId(wrId).wrFlags(SendFlags.SIGNALED);
      left.qp().wrAtomicWrite(rkey, remoteAddr, value);
      left.qp().wrComplete();
    }
  }

  @OnEveryLinkAndApi
  @Proves({"WR-020", "S1.1/ATOMIC_WRITE", "S2.18", "S5.4.4", "S1.5.4"})
  void eightBytesArrive(TckLink link, PostingApi api) {
    try (QpPair pair = open(link)) {
      QpEnd right = pair.right();
      for (long value : new long[] {0x0102_0304_0506_0708L, -1, Long.MIN_VALUE, 0}) {
        post(pair, api, value, right.addr(CELL), right.rkey(), value);
        assertThat(pair.left().sent(value).opcode()).isEqualTo(WcOpcode.ATOMIC_WRITE);
        assertThat(right.getLong(CELL)).isEqualTo(value);
        assertThat(right.getLong(CELL - 8)).isZero();
        assertThat(right.getLong(CELL + 8)).isZero();
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S5.4.4")
  void theyArriveBehindWhatWasWrittenBefore(TckLink link, PostingApi api) {
    try (QpPair pair = open(link)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      for (int round = 1; round <= 50; round++) {
        byte[] data = left.fill(8192, 3000, round);
        left.qp().postSend(SendWrs.write(round, right, 8192, left.sge(8192, 3000)));
        post(pair, api, -round, right.addr(CELL), right.rkey(), round);
        long expected = round;
        Await.until("the flag " + round, () -> right.getLong(CELL) == expected);
        assertThat(right.bytes(8192, 3000)).isEqualTo(data);
        left.sent(round);
        left.sent(-round);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S5.4.4")
  void theAddressMustBeAMultipleOfEight(TckLink link, PostingApi api) {
    for (int offset : new int[] {1, 2, 4, 7}) {
      try (QpPair pair = open(link)) {
        QpEnd right = pair.right();
        post(pair, api, 1, right.addr(CELL + offset), right.rkey(), -1);
        pair.left().awaitSend(1, WcStatus.REM_INV_REQ_ERR);
        right.awaitState(QpState.ERR);
        assertThat(right.getLong(CELL)).isZero();
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S5.4.4", "S5.2.2"})
  void theRegionMustAllowWrites(TckLink link, PostingApi api) {
    try (QpPair pair = open(link)) {
      MemoryRegion target =
          pair.right()
              .pd()
              .allocMr(64, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
      post(pair, api, 1, target.addr(), target.rkey(), -1);
      pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S4.4.2")
  void theQueuePairMustAllowWrites(TckLink link, PostingApi api) {
    PairSetup setup = PairSetup.on(link).sendOps(SendOps.ATOMIC_WRITE);
    try (QpPair pair = setup.qpAccess(Access.REMOTE_READ, Access.REMOTE_ATOMIC).open()) {
      post(pair, api, 1, pair.right().addr(CELL), pair.right().rkey(), -1);
      assertThat(pair.left().awaitSend(1).isSuccess()).isFalse();
      pair.right().awaitState(QpState.ERR);
    }
  }

  @OnEveryLink
  @Proves("S5.4.4")
  void theValueMayBeInline(TckLink link) {
    try (QpPair pair = open(link)) {
      QpEnd right = pair.right();
      byte[] value = {1, 2, 3, 4, 5, 6, 7, 8};
      Sge inline = Sge.of(MemorySegment.ofArray(value));
      SendWr wr = wr(1, right.addr(CELL), right.rkey(), inline);
      pair.left().qp().postSend(wr.sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
      pair.left().sent(1);
      assertThat(right.bytes(CELL, 8)).isEqualTo(value);
    }
  }

  @OnEveryLink
  @Proves("S5.4.4")
  void theListMustHaveEightBytes(TckLink link) {
    assumeTrue(link.postsEveryOperation(), "in batches only");
    try (QpPair pair = open(link)) {
      QpEnd left = pair.left();
      QueuePairEx qp = left.qp();
      long target = pair.right().addr(CELL);
      int rkey = pair.right().rkey();
      Refusal.with(Errno.EINVAL, () -> qp.postSend(wr(1, target, rkey)));
      Refusal.with(Errno.EINVAL, () -> qp.postSend(wr(1, target, rkey, left.sge(0, 7))));
      Refusal.with(Errno.EINVAL, () -> qp.postSend(wr(1, target, rkey, left.sge(0, 16))));
    }
  }
}
