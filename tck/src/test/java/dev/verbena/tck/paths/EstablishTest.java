package dev.verbena.tck.paths;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.path.Paths;

/** Queue pairs that go to RTS by a path, and the attributes that they get from it. */
final class EstablishTest {
  private static final int DQPN = 0x1234;
  private static final int DQPSN = 0xabcdef;
  private static final int SQPSN = 0x123456;

  private static IbPath path(QpEnd from, QpEnd to) {
    return IbPath.builder(from.context().endPort())
        .dgid(to.gid())
        .sgid(from.gid())
        .dlid(to.context().endPort().lid())
        .slid(from.context().endPort().lid())
        .hasGrh(true)
        .hopLimit(9)
        .trafficClass(0x28)
        .flowLabel(0x12345)
        .sl(5)
        .rate(Rate.RATE_10)
        .mtu(Mtu.MTU_512)
        .retries(5)
        .minRnrTimer(13)
        .packetLifeTime(10)
        .dackRespTime(12)
        .dqpn(DQPN)
        .dqpsn(DQPSN)
        .sqpsn(SQPSN)
        .drdatomic(3)
        .srdatomic(2)
        .qkey(PairSetup.QKEY)
        .build();
  }

  @OnEveryLink
  @Proves({
    "PY-017", "PY-018", "PY-020", "PY-021", "PY-022", "PY-023", "PY-024", "PY-025", "PY-026",
    "PY-027", "PY-028", "PY-029", "PY-030", "PY-031", "PY-149", "PY-151", "PY-152", "PY-153"
  })
  void aReliableConnectionHasWhatItsPathSays(TckLink link) {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      QueuePair qp = pair.left().qp();
      IbPath path = path(pair.left(), pair.right());
      qp.establish(path, Access.REMOTE_READ, Access.REMOTE_WRITE);
      assertThat(qp.state()).isEqualTo(QpState.RTS);
      QpAttr attr = qp.query(-1);
      assertThat(attr.portNum()).isEqualTo(1);
      assertThat(attr.pkeyIndex()).isZero();
      assertThat(attr.qpAccessFlags()).isEqualTo(Access.REMOTE_READ | Access.REMOTE_WRITE);
      assertThat(attr.pathMtu()).isEqualTo(Mtu.MTU_512);
      assertThat(attr.retryCnt()).isEqualTo(5);
      assertThat(attr.rnrRetry()).isEqualTo(7);
      assertThat(attr.minRnrTimer()).isEqualTo(13);
      // 4.096 µs × (2^11 + 2^12), rounded up
      assertThat(attr.timeout()).isEqualTo(13);
      assertThat(attr.destQpNum()).isEqualTo(DQPN);
      assertThat(attr.rqPsn()).isEqualTo(DQPSN);
      assertThat(attr.sqPsn()).isEqualTo(SQPSN);
      assertThat(attr.maxDestRdAtomic()).as("max_dest_rd_atomic").isEqualTo(3);
      assertThat(attr.maxRdAtomic()).isEqualTo(2);
      assertThat(attr.ahAttr()).isEqualTo(new QpAttr().ahAttr(path).ahAttr());
      assertThat(attr.ahAttr().dgid()).isEqualTo(pair.right().gid());
    }
  }

  @OnEveryLink
  @Proves({"PY-017", "PY-027", "PY-149", "PY-152", "PY-153"})
  void anUnreliableConnectionHasItsShareOfThePath(TckLink link) {
    try (QpPair pair = PairSetup.on(link).type(QpType.UC).openUnconnected()) {
      QueuePair qp = pair.left().qp();
      qp.establish(path(pair.left(), pair.right()), Access.REMOTE_WRITE);
      QpAttr attr = qp.query(-1);
      assertThat(attr.qpState()).isEqualTo(QpState.RTS);
      assertThat(attr.destQpNum()).isEqualTo(DQPN);
      assertThat(attr.sqPsn()).isEqualTo(SQPSN);
    }
  }

  @OnEveryLink
  @Proves({"PY-019", "PY-149", "PY-151", "PY-153"})
  void aDatagramQueuePairHasTheQkey(TckLink link) {
    try (QpPair pair = PairSetup.on(link).type(QpType.UD).openUnconnected()) {
      QueuePair qp = pair.left().qp();
      qp.establish(path(pair.left(), pair.right()));
      QpAttr attr = qp.query(-1);
      assertThat(attr.qpState()).isEqualTo(QpState.RTS);
      assertThat(attr.qkey()).isEqualTo(PairSetup.QKEY);
      assertThat(attr.sqPsn()).isEqualTo(SQPSN);
    }
  }

  @OnEveryLink
  @Proves({"PY-018", "PY-034"})
  void whatThePortDoesNotHaveIsRefused(TckLink link) {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      QueuePair qp = pair.left().qp();
      IbPath path = path(pair.left(), pair.right());
      qp.modifyToInit(path.copy(b -> b.pkey(0x7fff)));
      assertThat(qp.query(-1).pkeyIndex()).isZero();
      qp.modify(new QpAttr().qpState(QpState.RESET));
      Refused.of(() -> qp.modifyToInit(path.copy(b -> b.pkey(0x1234))), Errno.ENOENT)
          .naming("0x1234");
      assertThat(qp.state()).isEqualTo(QpState.RESET);
      qp.modifyToInit(path);
      Gid foreign = pair.right().gid();
      Refused.of(() -> qp.modifyToRtr(path.copy(b -> b.sgid(foreign))), Errno.ENOENT)
          .naming(foreign.toString());
      assertThat(qp.state()).isEqualTo(QpState.INIT);
    }
  }

  @OnEveryLink
  @Proves({"PY-047", "PY-048"})
  void receivesArePostedAfterInitAndEstablishGoesOnFromThere(TckLink link) {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      IbPath path = Paths.fillPath(left.qp(), resolved(left, right));
      Refused.of(() -> right.postRecv(7, right.sge(0, 100)), Errno.EINVAL);
      IbPath back = path.reverse(false).withEndPort(right.context().endPort());
      right.qp().modifyToInit(back);
      right.postRecv(7, right.sge(0, 100));
      right.qp().establish(back);
      left.qp().establish(path);
      byte[] data = left.fill(0, 100, 1);
      left.qp().postSend(SendWrs.send(1, left.sge(0, 100)));
      left.sent(1);
      right.received(7);
      assertThat(right.bytes(0, 100)).isEqualTo(data);
    }
  }

  private static IbPath resolved(QpEnd from, QpEnd to) {
    IbPath path = Paths.from(from.context().endPort());
    int dlid = to.context().endPort().lid();
    return Ways.resolved(path.copy(b -> b.dgid(to.gid()).dlid(dlid).dqpn(to.qp().qpNum())))
        .copy(b -> b.dackRespTime(12));
  }

  @OnEveryLink
  @Proves({"PY-043", "PY-150"})
  void aPathStandsWhereAnAddressMayInModify(TckLink link) {
    try (QpPair pair = PairSetup.on(link).openUnconnected()) {
      QpEnd left = pair.left();
      PairSetup setup = PairSetup.on(link);
      setup.toInit(left.qp());
      IbPath path = path(left, pair.right());
      left.qp().modify(setup.rtrAttr(pair.right().qp().endpoint()).ahAttr(path));
      AhAttr address = left.qp().query(-1).ahAttr();
      assertThat(address.hopLimit()).as("hop limit").isEqualTo(9);
      assertThat(address.dgid()).isEqualTo(pair.right().gid());
    }
  }

  @OnEveryLink
  @Proves({
    "PY-032", "PY-033", "PY-034", "PY-035", "PY-036", "PY-037", "PY-038", "PY-039", "PY-040",
    "PY-041", "PY-042", "PY-043", "PY-044", "PY-045"
  })
  void anAddressHandleHasWhatItsPathSaysAndIsKept(TckLink link) {
    try (QpPair pair = PairSetup.on(link).type(QpType.UD).openUnconnected()) {
      QpEnd left = pair.left();
      IbPath path = path(left, pair.right()).copy(b -> b.dlid(0x44).slid(0x7f));
      var handle = left.pd().ah(path);
      EndPort port = left.context().endPort();
      AhAttr expected =
          new AhAttr(
              /* isGlobal= */ true,
              /* dgid= */ pair.right().gid(),
              /* sgidIndex= */ 0,
              /* flowLabel= */ 0x12345,
              /* hopLimit= */ 9,
              /* trafficClass= */ 0x28,
              /* dlid= */ 0x44,
              /* sl= */ 5,
              /* srcPathBits= */ 0x7f & ((1 << port.lmc()) - 1),
              /* staticRate= */ Rate.RATE_10,
              /* portNum= */ 1);
      assertThat(handle.attr()).isEqualTo(expected);
      assertThat(left.pd().ah(expected).attr()).isEqualTo(expected);
      assertThat(left.pd().ah(path)).isSameAs(handle);
      assertThat(left.context().allocPd().ah(path)).isNotSameAs(handle);
      handle.close();
      var again = left.pd().ah(path);
      assertThat(again).isNotSameAs(handle);
      assertThat(again.isClosed()).isFalse();
      path.dropCache();
      assertThat(again.isClosed()).isTrue();
      assertThat(left.pd().ah(path)).isNotSameAs(again);
    }
  }
}
