package dev.verbena.tck.memory;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;
import static dev.verbena.verbs.ReregFlags.CHANGE_ACCESS;
import static dev.verbena.verbs.ReregFlags.CHANGE_PD;
import static dev.verbena.verbs.ReregFlags.CHANGE_TRANSLATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Changing a region that is in use: S5.1.7, S5.1.8. */
@ByPacketsToo
final class MrReregTest {

  @OnEveryLink
  @Proves("S5.1.7")
  void badArgumentsAreRefusedAndTheRegionIsAsItWas(TckLink link) {
    try (QpPair pair = QpPair.open(link);
        Arena confined = Arena.ofConfined()) {
      QpEnd right = pair.right();
      MemoryRegion mr = right.pd().regMr(right.mr().memory(), LOCAL_WRITE, REMOTE_WRITE);
      MemorySegment memory = right.mr().memory();
      ProtectionDomain other = right.context().allocPd();
      ProtectionDomain foreign = pair.left().context().allocPd();
      MemorySegment empty = memory.asSlice(0, 0);
      MemorySegment local = confined.allocate(64);

      Refused.of(() -> mr.rereg(8, null, null, 0), Errno.EINVAL).from("reregMr", "rereg");
      Refused.of(() -> mr.rereg(CHANGE_ACCESS | 1 << 31, null, null, 1), Errno.EINVAL);
      Refused.of(() -> mr.rereg(CHANGE_TRANSLATION, null, null, 0), Errno.EINVAL);
      Refused.of(() -> mr.rereg(CHANGE_TRANSLATION, null, empty, 0), Errno.EINVAL);
      Refused.of(() -> mr.rereg(CHANGE_TRANSLATION, null, local, 0), Errno.EINVAL);
      Refused.of(() -> mr.rereg(CHANGE_PD, null, null, 0), Errno.EINVAL);
      Refused.of(() -> mr.rereg(CHANGE_PD, foreign, null, 0), Errno.EINVAL);
      Refused.of(() -> mr.rereg(CHANGE_PD, other, null, LOCAL_WRITE), Errno.EINVAL);
      Refused.of(() -> mr.rereg(CHANGE_ACCESS, null, null, REMOTE_WRITE), Errno.EINVAL);
      Refused.of(() -> mr.rereg(CHANGE_ACCESS | CHANGE_PD, other, null, 1 << 15), Errno.EINVAL);

      assertThat(mr.access()).isEqualTo(LOCAL_WRITE | REMOTE_WRITE);
      assertThat(mr.pd()).isSameAs(right.pd());
      assertThat(mr.memory()).isEqualTo(memory);
      pair.left().qp().postSend(write(pair, mr));
      pair.left().sent(1);
      other.dealloc();
    }
  }

  @OnEveryLink
  @Proves("S5.1.7")
  void newMemoryIsReachedByTheOldKeys(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd right = pair.right();
      MemorySegment before = Arena.global().allocate(4096);
      MemorySegment after = Arena.global().allocate(8192);
      MemoryRegion mr = right.pd().regMr(before, LOCAL_WRITE, REMOTE_WRITE);
      int rkey = mr.rkey();
      int lkey = mr.lkey();

      mr.rereg(CHANGE_TRANSLATION, null, after, 0);

      assertThat(mr.rkey()).isEqualTo(rkey);
      assertThat(mr.lkey()).isEqualTo(lkey);
      assertThat(mr.addr()).isEqualTo(after.address());
      assertThat(mr.length()).isEqualTo(8192);
      assertThat(mr.access()).isEqualTo(LOCAL_WRITE | REMOTE_WRITE);
      pair.left().put(0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
      pair.left().qp().postSend(write(pair, mr));
      pair.left().sent(1);
      assertThat(after.asSlice(0, 8).mismatch(pair.left().mr().memory().asSlice(0, 8)))
          .isEqualTo(-1);
      pair.left().qp().postSend(write(pair, mr).remoteAddr(before.address()));
      pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLink
  @Proves("S5.1.8")
  void aRightThatWasTakenAwayIsRefused(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd right = pair.right();
      MemoryRegion mr = right.pd().regMr(right.mr().memory(), LOCAL_WRITE, REMOTE_WRITE);
      pair.left().qp().postSend(write(pair, mr));
      pair.left().sent(1);

      mr.rereg(CHANGE_ACCESS, null, null, LOCAL_WRITE | REMOTE_READ);

      assertThat(mr.access()).isEqualTo(LOCAL_WRITE | REMOTE_READ);
      SendWr read = SendWrs.read(2, right, 0, pair.left().sge(0, 64)).rkey(mr.rkey());
      pair.left().qp().postSend(read.remoteAddr(mr.addr()));
      pair.left().sent(2);
      pair.left().qp().postSend(write(pair, mr));
      pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLink
  @Proves("S5.1.8")
  void inAnotherProtectionDomainItNoLongerReceives(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd right = pair.right();
      MemoryRegion mr = right.pd().regMr(right.mr().memory(), LOCAL_WRITE);
      right.postRecv(1, mr.sge(64, 0));

      mr.rereg(CHANGE_PD, right.context().allocPd(), null, 0);

      pair.left().qp().postSend(SendWrs.send(2, pair.left().sge(0, 64)));
      pair.left().awaitSend(2, WcStatus.REM_OP_ERR);
      assertThat(right.awaitRecv(1).status()).isIn(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR);
    }
  }

  @OnEveryLink
  @Proves("S5.1.8")
  void inAnotherProtectionDomainItNeitherSendsNorServes(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      MemoryRegion mr = left.pd().regMr(left.mr().memory(), LOCAL_WRITE);
      mr.rereg(CHANGE_PD, left.context().allocPd(), null, 0);
      left.qp().postSend(SendWrs.write(1, pair.right(), 0, mr.sge(64, 0)));
      left.awaitSend(1, WcStatus.LOC_PROT_ERR);
    }
    try (QpPair pair = QpPair.open(link)) {
      QpEnd right = pair.right();
      MemoryRegion mr = right.pd().regMr(right.mr().memory(), LOCAL_WRITE, REMOTE_WRITE);
      mr.rereg(CHANGE_PD, right.context().allocPd(), null, 0);
      pair.left().qp().postSend(write(pair, mr));
      pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLink
  @Proves("S5.1.7")
  void everythingCanChangeAtOnce(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd right = pair.right();
      ProtectionDomain other = right.context().allocPd();
      MemoryRegion mr = other.regMr(right.mr().memory(), REMOTE_READ);
      MemorySegment after = Arena.global().allocate(4096);
      mr.rereg(
          CHANGE_TRANSLATION | CHANGE_PD | CHANGE_ACCESS,
          right.pd(),
          after,
          Access.of(LOCAL_WRITE, REMOTE_WRITE));
      assertThat(mr.pd()).isSameAs(right.pd());
      pair.left().qp().postSend(write(pair, mr));
      pair.left().sent(1);
      other.dealloc();
    }
  }

  /** Eight bytes to the start of this region. */
  private static SendWr write(QpPair pair, MemoryRegion target) {
    return SendWrs.write(1, pair.right(), 0, pair.left().sge(0, 8))
        .rkey(target.rkey())
        .remoteAddr(target.addr());
  }
}
