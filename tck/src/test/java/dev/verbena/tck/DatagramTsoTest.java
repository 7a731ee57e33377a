package dev.verbena.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** TSO on UD: every segment is a datagram, with the header of IP over InfiniBand in front. */
final class DatagramTsoTest {
  private static final int MSS = 700;
  private static final int LENGTH = 1500;
  private static final int GRH = 40;
  private static final int LANDING = 64 << 10;
  private static final int SLOT = 4096;

  @OnEveryLinkAndApi
  @Proves({"S9.6", "WR-092", "PS-084"})
  void aStreamIsCutIntoDatagrams(TckLink link, PostingApi api) {
    try (Context context = Devices.open(link.device())) {
      QpEnd a = end(context);
      QpEnd b = end(context);
      byte[] tcp = Frames.tcp(5, Frames.ACK | Frames.PSH);
      byte[] header = Frames.join(Frames.hex("08000000"), Frames.ipv4(Frames.TCP, 0), tcp);
      byte[] stream = a.fill(0, LENGTH, 1);
      for (int i = 0; i < 3; i++) {
        b.postRecv(i, b.sge(LANDING + i * (long) SLOT, SLOT));
      }
      SendWr wr =
          new SendWr()
              .wrId(1)
              .opcode(WrOpcode.TSO)
              .sendFlags(SendFlags.SIGNALED)
              .tsoHdr(MemorySegment.ofArray(header))
              .mss(MSS)
              .sgList(a.sge(0, LENGTH));
      api.post(a.qp(), b.to(b, a.pd().createAh(AhAttr.to(b.qp().endpoint().gid())), wr));
      assertThat(a.sent(1).opcode()).isEqualTo(WcOpcode.TSO);
      a.assertNothingSent();
      if (link.isFaulty()) {
        // Datagrams may be lost, repeated or exchanged: nothing more is promised.
        return;
      }
      for (int i = 0; i < 3; i++) {
        int payload = Math.min(MSS, LENGTH - i * MSS);
        int length = GRH + header.length + payload;
        assertThat(b.received(i).byteLen()).isEqualTo(length);
        byte[] packet = b.bytes(LANDING + i * (long) SLOT + GRH, length - GRH);
        assertThat(Frames.word(packet, 0)).isEqualTo(Frames.IPV4);
        assertThat(Frames.isIpv4Valid(packet, 4)).isTrue();
        assertThat(Frames.isUpperValid(packet, 4)).isTrue();
        assertThat(Frames.dword(packet, 4 + 20 + 4)).isEqualTo(5 + i * MSS);
        assertThat(Arrays.copyOfRange(packet, header.length, packet.length))
            .isEqualTo(Arrays.copyOfRange(stream, i * MSS, i * MSS + payload));
      }
    }
  }

  @OnEveryLink
  @Proves("S9.3")
  void steeringToDatagramQueuePairsIsRefusedByName(TckLink link) {
    try (Context context = Devices.open(link.device())) {
      QpEnd end = end(context);
      Refused.of(() -> end.qp().createFlow(FlowAttr.normal(new FlowSpecEth())), Errno.EOPNOTSUPP)
          .from("createFlow")
          .naming("UD");
    }
  }

  private static QpEnd end(Context context) {
    ProtectionDomain pd = context.allocPd();
    CompletionQueue sendCq = context.createCq(16);
    CompletionQueue recvCq = context.createCq(16);
    QpInitAttr attr =
        QpInitAttr.ud(sendCq)
            .recvCq(recvCq)
            .cap(new QpCap(8, 8, 2, 2, 0))
            .maxTsoHeader(64)
            .sendOps(SendOps.TSO);
    QpEnd end =
        new QpEnd(
            context,
            pd,
            sendCq,
            recvCq,
            pd.createQpEx(attr),
            pd.allocMr(2L * LANDING, Access.LOCAL_WRITE));
    QpAttr init = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1);
    end.qp().modify(init.qkey(PairSetup.QKEY));
    end.qp().modify(new QpAttr().qpState(QpState.RTR));
    end.qp().modify(new QpAttr().qpState(QpState.RTS).sqPsn(1));
    return end;
  }
}
