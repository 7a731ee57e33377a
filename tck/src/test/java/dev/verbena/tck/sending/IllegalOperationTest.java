package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.Station;
import dev.verbena.tck.kit.pairs.XrcNet;
import dev.verbena.tck.kit.pairs.XrcTarget;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The empty cells of the tables operation × queue pair type (S1.1, S2.2): posting an operation that
 * the type does not have fails, and so does creating a queue pair for it. The link makes no
 * difference.
 */
final class IllegalOperationTest {

  @Test
  @Proves({"PS-086", "WR-090", "WR-025", "S2.2", "S2.3"})
  void rcHasNoSegmentation() {
    assertMissing(QpType.RC, EnumSet.of(WrOpcode.TSO));
  }

  @Test
  @Proves({
    "PS-055", "PS-060", "PS-065", "PS-085", "WR-036", "WR-041", "WR-056", "WR-066", "WR-091",
    "WR-025", "S2.2", "S2.3", "S12.7.2"
  })
  void ucHasNothingThatIsAnswered() {
    assertMissing(
        QpType.UC,
        EnumSet.of(
            WrOpcode.RDMA_READ,
            WrOpcode.ATOMIC_CMP_AND_SWP,
            WrOpcode.ATOMIC_FETCH_AND_ADD,
            WrOpcode.ATOMIC_WRITE,
            WrOpcode.FLUSH,
            WrOpcode.TSO));
  }

  @Test
  @Proves({
    "PS-044", "PS-049", "PS-054", "PS-059", "PS-064", "PS-069", "PS-074", "PS-079", "WR-037",
    "WR-042", "WR-047", "WR-052", "WR-057", "WR-062", "WR-067", "WR-072", "WR-087", "WR-025",
    "S2.2", "S2.3"
  })
  void udOnlySends() {
    assertMissing(
        QpType.UD,
        EnumSet.complementOf(
            EnumSet.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.TSO, WrOpcode.DRIVER1)));
  }

  @Test
  @Proves({
    "PS-043", "PS-048", "PS-053", "PS-058", "PS-063", "PS-068", "PS-073", "PS-078", "PS-083",
    "WR-039", "WR-044", "WR-049", "WR-054", "WR-059", "WR-064", "WR-069", "WR-074", "WR-084",
    "WR-089", "WR-025", "S2.2", "S2.3"
  })
  @ResourceLock(Station.SEGMENT)
  void rawPacketOnlySendsFrames() {
    try (QpPair pair = QpPair.open(TckLink.plain());
        Station station = Station.open()) {
      EnumSet<WrOpcode> missing =
          EnumSet.complementOf(EnumSet.of(WrOpcode.SEND, WrOpcode.TSO, WrOpcode.DRIVER1));
      for (WrOpcode opcode : missing) {
        SendWr wr = request(pair, QpType.RAW_PACKET, opcode);
        if (wr.mw() != null) {
          wr.mw(station.end().pd().allocMw(MwType.TYPE_2));
        }
        assertRefused(station.end(), wr);
      }
      assertQueueUnaffected(station.end(), wrId -> station.frame(wrId, new byte[64]));
    }
  }

  @Test
  @Proves({"PS-087", "WR-093", "WR-025", "S2.2", "S2.3"})
  void xrcHasNoSegmentation() {
    try (XrcNet net = XrcNet.open(TckLink.plain())) {
      QpEnd left = net.connect().left();
      XrcTarget target = net.target();
      SendWr wr = target.send(1, left.sge(0, 8));
      assertRefused(left, segmented(wr.opcode(WrOpcode.TSO)));
      assertQueueUnaffected(left, wrId -> target.write(wrId, 0));
    }
  }

  private static void assertMissing(QpType type, Set<WrOpcode> missing) {
    try (QpPair pair = PairSetup.on(TckLink.plain()).type(type).open()) {
      QpEnd left = pair.left();
      missing.forEach(opcode -> assertRefused(left, request(pair, type, opcode)));
      assertQueueUnaffected(left, wrId -> sound(pair, type, wrId));
    }
  }

  private static void assertRefused(QpEnd end, SendWr wr) {
    WrOpcode opcode = Objects.requireNonNull(wr.opcode());
    QpType type = end.qp().qpType();
    var posted = Refusal.with(Errno.EINVAL, () -> end.qp().postSend(wr));
    assertThat(posted.badSendWr()).as("bad_wr of %s on %s", opcode, type).isSameAs(wr);
    var built = Refusal.of(() -> build(end.qp(), wr));
    assertThat(built.errno()).isIn(Errno.EINVAL, Errno.EOPNOTSUPP);
    QpInitAttr attr =
        new QpInitAttr(type)
            .sendCq(end.sendCq())
            .recvCq(type == QpType.XRC_SEND ? null : end.recvCq())
            .sendOps(SendOps.SEND, SendOps.of(opcode));
    Refused.of(() -> end.pd().createQpEx(attr), Errno.EOPNOTSUPP)
        .naming(opcode.name(), type.name());
  }

  /** All requests that fit can still be posted, and only they complete. */
  private static void assertQueueUnaffected(QpEnd end, LongFunction<SendWr> sound) {
    int depth = end.qp().queryInit().cap().maxSendWr();
    for (int i = 0; i < depth; i++) {
      end.qp().postSend(sound.apply(i));
    }
    if (!TckLink.areDevicesOfOthers()) { // Those may have room for more than they tell.
      Refusal.with(Errno.ENOMEM, () -> end.qp().postSend(sound.apply(depth)));
    }
    for (int i = 0; i < depth; i++) {
      end.sent(i);
    }
    end.assertNothingSent();
  }

  /** A request that completes without a receive of the peer. */
  private static SendWr sound(QpPair pair, QpType type, long wrId) {
    return type == QpType.UD
        ? addressed(pair, type, SendWrs.send(wrId))
        : SendWrs.write(wrId, pair.right(), 0, pair.left().sge(0, 8));
  }

  /** A request that is legal except for its operation. */
  private static SendWr request(QpPair pair, QpType type, WrOpcode opcode) {
    QpEnd left = pair.left();
    SendWr wr =
        SendWrs.write(1, pair.right(), 0, left.sge(0, 8))
            .opcode(opcode)
            .flushType(FlushType.GLOBAL)
            .flushLevel(FlushLevel.MR)
            .invalidateRkey(pair.right().rkey());
    if (opcode == WrOpcode.TSO) {
      segmented(wr);
    } else if (opcode == WrOpcode.BIND_MW) {
      MemoryWindow window = left.pd().allocMw(MwType.TYPE_2);
      wr.mw(window)
          .bindRkey(window.rkey() + 1)
          .bindInfo(new MwBindInfo(left.mr(), left.addr(0), 64, Access.REMOTE_WRITE))
          .sgList();
    } else if (opcode == WrOpcode.LOCAL_INV || opcode == WrOpcode.FLUSH) {
      wr.sgList();
    }
    return addressed(pair, type, wr);
  }

  private static SendWr segmented(SendWr wr) {
    return wr.tsoHdr(MemorySegment.ofArray(new byte[54])).mss(512);
  }

  private static SendWr addressed(QpPair pair, QpType type, SendWr wr) {
    return type == QpType.UD
        ? pair.left().to(pair.right(), pair.left().ahTo(pair.right()), wr)
        : wr;
  }

  private static void build(QueuePairEx qp, SendWr wr) {
    if (wr.opcode() == WrOpcode.TSO) {
      qp.wrStart();
      qp.wrSendTso(MemorySegment.ofArray(new byte[54]), 512);
      qp.wrSetSgeList(wr.numSge(), wr.sgList());
      qp.wrComplete();
    } else if (wr.opcode() == WrOpcode.ATOMIC_WRITE) {
      qp.wrStart();
      qp.wrAtomicWrite(wr.rkey(), wr.remoteAddr(), 1);
      qp.wrComplete();
    } else {
      PostingApi.WR.post(qp, wr);
    }
  }
}
