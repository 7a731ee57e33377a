package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.ByPacketsToo;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Requests that the peer refuses, seen from both ends. */
@ByPacketsToo
final class RemoteErrorTest {
  private static final long LANDING = 60_000;

  @OnEveryLinkAndApi
  @Proves({"S1.6/06", "S1.6.2", "S1.6.3", "S1.5.7"})
  void thePeersKeyMustFitTheAccess(TckLink link, PostingApi api) {
    List<Function<QpPair, SendWr>> faults =
        List.of(
            pair -> write(pair, 16).rkey(pair.right().rkey() ^ 0xff),
            pair -> write(pair, 16).remoteAddr(pair.right().addr(0) - 1),
            pair -> write(pair, 16).remoteAddr(pair.right().addr(pair.right().mr().length() - 15)),
            pair -> write(pair, 16).remoteAddr(-8),
            pair -> toRegion(write(pair, 16), foreign(pair.right())),
            pair -> toClosedRegion(write(pair, 16), pair.right()),
            pair -> toRegion(write(pair, 16), region(pair.right(), Access.REMOTE_READ)),
            pair -> toRegion(read(pair), region(pair.right(), Access.REMOTE_WRITE)),
            pair -> toRegion(add(pair), region(pair.right(), Access.REMOTE_WRITE)),
            pair -> toRegion(read(pair), region(pair.right(), Access.REMOTE_ATOMIC)),
            pair -> read(pair).rkey(pair.right().rkey() ^ 0x100),
            pair -> add(pair).rkey(pair.right().rkey() ^ 0xff),
            pair -> writeImm(pair).rkey(pair.right().rkey() ^ 0xff));
    for (Function<QpPair, SendWr> fault : faults) {
      try (QpPair pair = QpPair.open(link)) {
        pair.right().postRecv(8, pair.right().sge(0, 64));
        pair.right().postRecv(9);
        SendWr wr = fault.apply(pair);
        api.post(pair.left().qp(), wr.wrId(1).sendFlags(0));
        pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
        assertBothFailed(pair, 8, 9);
        assertThat(pair.right().bytes(0, 64)).containsOnly(0);
        assertThat(pair.left().bytes(LANDING, 16)).containsOnly(0);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.6/07", "S1.6.3"})
  void theResponderMustAllowTheOperation(TckLink link, PostingApi api) {
    List<Function<QpPair, SendWr>> refused =
        List.of(
            pair -> write(pair, 16),
            RemoteErrorTest::writeImm,
            RemoteErrorTest::read,
            RemoteErrorTest::add);
    int[] rights = {
      Access.REMOTE_READ | Access.REMOTE_ATOMIC,
      Access.REMOTE_READ | Access.REMOTE_ATOMIC,
      Access.REMOTE_WRITE | Access.REMOTE_ATOMIC,
      Access.REMOTE_WRITE | Access.REMOTE_READ
    };
    for (int i = 0; i < rights.length; i++) {
      try (QpPair pair = PairSetup.on(link).qpAccess(rights[i]).open()) {
        pair.right().postRecv(9);
        api.post(pair.left().qp(), refused.get(i).apply(pair).wrId(1));
        pair.left().awaitSend(1, WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR);
        assertBothFailed(pair, 9);
        assertThat(pair.right().bytes(0, 64)).containsOnly(0);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.6/08", "S3.2.3", "S1.6.2"})
  void aMessageMustFitTheReceive(TckLink link, PostingApi api) {
    for (int tooLong : new int[] {101, 256, 1025, 5000}) {
      try (QpPair pair = PairSetup.on(link).mtu(Mtu.MTU_256).open()) {
        byte[] before = pair.right().fill(0, 8000, 1);
        pair.left().fill(0, tooLong, 2);
        int room = tooLong == 101 ? 100 : tooLong - 1;
        pair.right().postRecv(8, pair.right().sge(0, 60), pair.right().sge(100, room - 60));
        pair.right().postRecv(9, pair.right().sge(0, 8000));
        api.post(
            pair.left().qp(),
            SendWrs.list(SendWrs.send(1, pair.left().sge(0, tooLong)), SendWrs.send(2)));

        pair.left().awaitSend(1, WcStatus.REM_INV_REQ_ERR);
        pair.left().awaitSend(2, WcStatus.WR_FLUSH_ERR);
        pair.right().awaitRecv(8, WcStatus.LOC_LEN_ERR);
        assertBothFailed(pair, 9);
        assertThat(pair.right().bytes(60, 40)).isEqualTo(Arrays.copyOfRange(before, 60, 100));
        assertThat(pair.right().bytes(40 + room, 100))
            .isEqualTo(Arrays.copyOfRange(before, 40 + room, 140 + room));
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.6/09", "S1.6.2"})
  void aReceiveMustBeWritable(TckLink link, PostingApi api) {
    List<Function<QpEnd, Sge>> faults =
        List.of(
            end -> end.sge(0, 64).lkey(end.mr().lkey() ^ 0xff),
            end -> new Sge(end.addr(end.mr().length() - 4), 64, end.mr().lkey()),
            end -> end.pd().allocMr(4096).sge(64, 0),
            end -> foreign(end).sge(64, 0),
            end -> {
              MemoryRegion region = end.pd().allocMr(4096, Access.LOCAL_WRITE);
              Sge piece = region.sge(64, 0);
              region.dereg();
              return piece;
            });
    for (Function<QpEnd, Sge> fault : faults) {
      try (QpPair pair = QpPair.open(link)) {
        pair.right().postRecv(8, fault.apply(pair.right()));
        pair.right().postRecv(9);
        api.post(pair.left().qp(), SendWrs.send(1, pair.left().sge(0, 64)));
        pair.left().awaitSend(1, WcStatus.REM_OP_ERR);
        pair.right().awaitRecv(8, WcStatus.LOC_PROT_ERR);
        assertBothFailed(pair, 9);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S1.6/10")
  void aResponderWithoutReadResourcesRefuses(TckLink link, PostingApi api) {
    for (boolean read : new boolean[] {true, false}) {
      try (QpPair pair = PairSetup.on(link).maxDestRdAtomic(0).open()) {
        pair.right().postRecv(9);
        api.post(pair.left().qp(), read ? read(pair) : add(pair));
        pair.left().awaitSend(1, WcStatus.REM_INV_REQ_ERR);
        assertBothFailed(pair, 9);
        assertThat(pair.right().getLong(0)).isZero();
      }
    }
  }

  /** Both ends are in ERR, these receives flush, and so does anything posted to the left end. */
  private static void assertBothFailed(QpPair pair, long... flushedReceives) {
    for (long receive : flushedReceives) {
      pair.right().awaitRecv(receive, WcStatus.WR_FLUSH_ERR);
    }
    pair.left().awaitState(QpState.ERR);
    pair.right().awaitState(QpState.ERR);
    pair.left().qp().postSend(SendWrs.send(77).sendFlags(0));
    pair.left().awaitSend(77, WcStatus.WR_FLUSH_ERR);
    Stream.of(pair.left(), pair.right()).forEach(QpEnd::assertNothingReceived);
    pair.left().assertNothingSent();
    pair.right().assertNothingSent();
  }

  private static SendWr write(QpPair pair, int length) {
    pair.left().fill(0, length, 6);
    return SendWrs.write(1, pair.right(), 0, pair.left().sge(0, length));
  }

  private static SendWr writeImm(QpPair pair) {
    pair.left().fill(0, 3000, 6);
    return SendWrs.writeImm(1, 2, pair.right(), 0, pair.left().sge(0, 3000));
  }

  private static SendWr read(QpPair pair) {
    return SendWrs.read(1, pair.right(), 0, pair.left().sge(LANDING, 16));
  }

  private static SendWr add(QpPair pair) {
    return SendWrs.fetchAdd(1, pair.right(), 0, 1, pair.left().sge(LANDING, 8));
  }

  private static SendWr toRegion(SendWr wr, MemoryRegion region) {
    return wr.rkey(region.rkey()).remoteAddr(region.addr());
  }

  private static MemoryRegion region(QpEnd end, int right) {
    return end.pd().allocMr(4096, Access.LOCAL_WRITE, right);
  }

  private static MemoryRegion foreign(QpEnd end) {
    return end.context().allocPd().allocMr(4096, Access.LOCAL_WRITE, PairSetup.REMOTE_ALL);
  }

  private static SendWr toClosedRegion(SendWr wr, QpEnd end) {
    MemoryRegion region = region(end, PairSetup.REMOTE_ALL);
    SendWr addressed = toRegion(wr, region);
    region.dereg();
    return addressed;
  }
}
