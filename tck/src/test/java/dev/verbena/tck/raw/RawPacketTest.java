package dev.verbena.tck.raw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Frames;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.Station;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceCap;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.MacAddress;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RawPacketCaps;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RAW_PACKET queue pairs on the segment of the process: frames, their checksums, their errors. */
@ResourceLock(Station.SEGMENT)
final class RawPacketTest {
  private static final MacAddress OTHER = MacAddress.parse("02:00:00:00:be:ef");

  @ParameterizedTest
  @EnumSource
  @Proves({"S9.1", "S9.2", "WR-079", "PS-038"})
  void aFrameArrivesByteForByte(PostingApi api) {
    try (Station a = Station.open();
        Station b = Station.open().listening(1)) {
      byte[] frame = Frames.experiment(b.mac(), a.mac(), 1500);
      api.post(a.end().qp(), a.frame(1, frame));
      WorkCompletion sent = a.end().sent(1);
      assertThat(sent.opcode()).isEqualTo(WcOpcode.SEND);
      WorkCompletion received = b.end().received(0);
      assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
      assertThat(received.byteLen()).as("no 40 bytes in front").isEqualTo(frame.length);
      assertThat(received.wcFlags()).isZero();
      assertThat(b.bytes(received)).isEqualTo(frame);
      assertThat(a.end().context().counters().get(Counter.FRAMES_SENT)).isOne();
      assertThat(b.end().context().counters().get(Counter.FRAMES_RECEIVED)).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {14, 15, 59, 60, 61, 9018})
  @Proves("S9.1")
  void shortFramesArePaddedWithZeros(int length) {
    try (Station a = Station.open();
        Station b = Station.open().listening(1)) {
      byte[] frame = Frames.experiment(b.mac(), a.mac(), length);
      // Old content of the device's buffer must not be sent along.
      a.send(Arrays.copyOf(Frames.experiment(OTHER, a.mac(), 100), 100));
      a.send(frame);
      assertThat(b.received(0)).isEqualTo(Arrays.copyOf(frame, Math.max(60, length)));
    }
  }

  @ParameterizedTest
  @EnumSource
  @Proves("S9.1")
  void whatIsNoFrameIsRefused(PostingApi api) {
    try (Station a = Station.open()) {
      for (int length : new int[] {0, 13, 9019}) {
        SendWr wr = SendWrs.send(1, a.end().sge(0, length));
        assertThat(Refusal.with(Errno.EINVAL, () -> api.post(a.end().qp(), wr)))
            .hasMessageContaining(length + " bytes");
      }
      SendWr inline = SendWrs.send(1, Sge.of(MemorySegment.ofArray(new byte[13])));
      inline.sendFlags(SendFlags.INLINE);
      Refusal.with(Errno.EINVAL, () -> api.post(a.end().qp(), inline));
    }
  }

  @ParameterizedTest
  @EnumSource
  void inlineAndScatteredDataMakeOneFrame(PostingApi api) {
    try (Station a = Station.open();
        Station b = Station.open().listening(2)) {
      byte[] frame = Frames.experiment(b.mac(), a.mac(), 100);
      MemorySegment bytes = MemorySegment.ofArray(frame.clone());
      SendWr inline = SendWrs.send(1, Sge.of(bytes.asSlice(0, 33)), Sge.of(bytes.asSlice(33)));
      api.post(a.end().qp(), inline.sendFlags(SendFlags.INLINE | SendFlags.SIGNALED));
      bytes.fill((byte) 0);
      a.end().sent(1);
      assertThat(b.received(0)).isEqualTo(frame);
      a.end().put(0, frame);
      api.post(
          a.end().qp(),
          SendWrs.send(2, a.end().sge(0, 1), a.end().sge(1, 13), a.end().sge(14, 86)));
      a.end().sent(2);
      assertThat(b.received(1)).isEqualTo(frame);
    }
  }

  @Test
  @Proves("S9.2")
  void withoutRuleNothingIsReceived() {
    try (Station a = Station.open();
        Station b = Station.open().post(1)) {
      a.send(Frames.experiment(b.mac(), a.mac(), 100));
      Counter counter = Counter.DROPPED_NO_FLOW;
      assertThat(b.end().context().counters().get(counter)).isOne();
      b.flow(FlowAttr.normal(new FlowSpecEth().dstMac(b.mac())));
      byte[] second = Frames.experiment(b.mac(), a.mac(), 101);
      a.send(second);
      assertThat(b.received(0)).isEqualTo(second);
      assertThat(b.end().context().counters().get(counter)).isOne();
    }
  }

  @Test
  void withoutReceiveOrIntoOneTooShortAFrameIsDropped() {
    try (Station a = Station.open();
        Station b = Station.open().listening(0)) {
      a.send(Frames.experiment(b.mac(), a.mac(), 100));
      b.end().postRecv(0, b.end().sge(Station.HALF, 99));
      a.send(Frames.experiment(b.mac(), a.mac(), 100));
      byte[] fits = Frames.experiment(b.mac(), a.mac(), 99);
      a.send(fits);
      assertThat(b.received(0)).isEqualTo(fits);
      assertThat(b.end().queryState()).isEqualTo(QpState.RTS);
    }
  }

  @Test
  void aDeviceReachesItselfAndItsOtherQueuePairs() {
    try (Station a = Station.open()) {
      Station b = a.another().listening(1);
      byte[] frame = Frames.experiment(a.mac(), a.mac(), 100);
      a.send(frame);
      assertThat(b.received(0)).isEqualTo(frame);
      byte[] own = Frames.experiment(a.mac(), a.mac(), 200);
      b.post(1);
      b.send(own);
      assertThat(b.received(0)).as("to itself").isEqualTo(own);
    }
  }

  @Test
  void aFailedSendStopsTheSendQueueOnly() {
    try (Station a = Station.open().listening(2);
        Station b = Station.open()) {
      Sge bad = new Sge(a.end().addr(0), 64, a.end().mr().lkey() ^ 0x00ff_ff00);
      a.end()
          .qp()
          .postSend(SendWrs.list(SendWrs.send(1, bad), SendWrs.send(2, a.end().sge(0, 64))));
      a.end().awaitSend(1, WcStatus.LOC_PROT_ERR);
      a.end().awaitSend(2, WcStatus.WR_FLUSH_ERR);
      assertThat(a.end().queryState()).isEqualTo(QpState.SQE);
      byte[] frame = Frames.experiment(a.mac(), b.mac(), 64);
      b.send(frame);
      assertThat(a.received(0)).isEqualTo(frame);
      a.end().qp().modify(new QpAttr().qpState(QpState.RTS));
      byte[] own = Frames.experiment(a.mac(), a.mac(), 64);
      a.send(own);
      assertThat(a.received(1)).isEqualTo(own);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 31, 1446, 1447})
  @Proves({"WR-122", "S9.5", "S1.2/IP_CSUM", "PS-093", "S9.4"})
  void checksumsAreFilledAndVerified(int payload) {
    try (Station a = Station.open();
        Station b = Station.open().listening(8)) {
      int caps = a.end().context().queryDevice().deviceCapFlags();
      assertThat(caps & DeviceCap.RAW_IP_CSUM).isNotZero();
      assertThat(a.end().context().queryDeviceEx().rawPacketCaps())
          .isEqualTo(RawPacketCaps.IP_CSUM);
      byte[] data = Frames.data(payload);
      byte[] tcp = Frames.join(Frames.tcp(1, Frames.ACK), data);
      byte[] udp = Frames.join(Frames.udp(payload), data);
      byte[] ether4 = Frames.ethernet(b.mac(), a.mac(), Frames.IPV4);
      byte[] ether6 = Frames.ethernet(b.mac(), a.mac(), Frames.IPV6);
      byte[] tag4 = Frames.tagged(b.mac(), a.mac(), 0x2064, Frames.IPV4);
      byte[][] frames = {
        Frames.join(ether4, Frames.ipv4(Frames.TCP, tcp.length), tcp),
        Frames.join(ether4, Frames.ipv4(Frames.UDP, udp.length), udp),
        Frames.join(tag4, Frames.ipv4(Frames.TCP, tcp.length), tcp),
        Frames.join(ether6, Frames.ipv6(Frames.TCP, tcp.length), tcp),
        Frames.join(ether6, Frames.ipv6(Frames.UDP, udp.length), udp)
      };
      for (int i = 0; i < frames.length; i++) {
        a.send(frames[i], SendFlags.IP_CSUM);
        WorkCompletion wc = b.end().received(i);
        byte[] received = b.bytes(wc);
        int ip = i == 2 ? 18 : 14;
        boolean four = i < 3;
        assertThat(Frames.isUpperValid(received, ip)).as("TCP or UDP of frame %d", i).isTrue();
        assertThat(!four || Frames.isIpv4Valid(received, ip)).as("IPv4 of frame %d", i).isTrue();
        assertThat(wc.wcFlags()).as("frame %d", i).isEqualTo(four ? WcFlags.IP_CSUM_OK : 0);
      }
      // Without the flag the frame does not change, and its checksums are not reported as right.
      a.send(frames[0]);
      WorkCompletion wc = b.end().received(frames.length);
      assertThat(wc.wcFlags()).isZero();
      assertThat(Arrays.copyOf(b.bytes(wc), frames[0].length)).isEqualTo(frames[0]);
    }
  }

  @Test
  @Proves("S9.5")
  void aUdpChecksumThatIsZeroGoesOutAllOnes() {
    try (Station a = Station.open();
        Station b = Station.open().listening(1)) {
      // Everything else in the sum: 0a00 0001 0a00 0002, 17, 12 twice, the ports.
      int others = 0x0a00 + 1 + 0x0a00 + 2 + 17 + 12 + 12 + 1000 + 2000;
      byte[] data = Frames.join(Frames.word(0xffff - others), Frames.word(0));
      byte[] udp = Frames.join(Frames.udp(4), data);
      byte[] ether = Frames.ethernet(b.mac(), a.mac(), Frames.IPV4);
      a.send(Frames.join(ether, Frames.ipv4(Frames.UDP, 12), udp), SendFlags.IP_CSUM);
      WorkCompletion wc = b.end().received(0);
      assertThat(Frames.word(b.bytes(wc), 14 + 20 + 6)).isEqualTo(0xffff);
      assertThat(wc.wcFlags()).isEqualTo(WcFlags.IP_CSUM_OK);
    }
  }

  @Test
  @Proves("S9.5")
  void fragmentsAndOtherFramesKeepTheirPayload() {
    try (Station a = Station.open();
        Station b = Station.open().listening(2)) {
      byte[] tcp = Frames.join(Frames.tcp(1, Frames.ACK), Frames.data(100));
      byte[] ether = Frames.ethernet(b.mac(), a.mac(), Frames.IPV4);
      byte[] fragment = Frames.ipv4(Frames.TCP, tcp.length, 1, 0x2000);
      a.send(Frames.join(ether, fragment, tcp), SendFlags.IP_CSUM);
      WorkCompletion wc = b.end().received(0);
      byte[] received = b.bytes(wc);
      assertThat(Frames.isIpv4Valid(received, 14)).isTrue();
      assertThat(Arrays.copyOfRange(received, 34, received.length)).isEqualTo(tcp);
      assertThat(wc.wcFlags()).isZero();
      byte[] other = Frames.experiment(b.mac(), a.mac(), 300);
      a.send(other, SendFlags.IP_CSUM);
      assertThat(b.received(1)).isEqualTo(other);
    }
  }

  @Test
  void aDamagedChecksumIsNotVouchedFor() {
    try (Station a = Station.open();
        Station b = Station.open().listening(2)) {
      byte[] tcp = Frames.join(Frames.tcp(1, Frames.ACK), Frames.data(20));
      byte[] ether = Frames.ethernet(b.mac(), a.mac(), Frames.IPV4);
      byte[] frame = Frames.join(ether, Frames.ipv4(Frames.TCP, tcp.length), tcp);
      a.send(frame, SendFlags.IP_CSUM);
      byte[] good = b.received(0);
      good[60] ^= 1;
      a.send(good);
      assertThat(b.end().received(1).wcFlags()).isZero();
    }
  }
}
