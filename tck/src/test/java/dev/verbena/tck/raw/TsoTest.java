package dev.verbena.tck.raw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Frames;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.pairs.Station;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MacAddress;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** TSO on RAW_PACKET: a stream goes in, TCP segments with their own headers come out. */
@ResourceLock(Station.SEGMENT)
final class TsoTest {
  private static final int MSS = 1000;
  private static final int SEQUENCE = 0xffff_fe00;
  private static final int ID = 0xfffe;
  private static final int ALL_FLAGS = Frames.FIN | Frames.PSH | Frames.ACK | Frames.CWR;

  /** The headers in front of TCP. */
  enum Network {
    IPV4(14),
    IPV4_VLAN(18),
    IPV6(14),
    IPV6_VLAN(18);

    private final int ip;

    Network(int ip) {
      this.ip = ip;
    }

    int ip() {
      return ip;
    }

    boolean isIpv4() {
      return this == IPV4 || this == IPV4_VLAN;
    }

    int tcp() {
      return ip + (isIpv4() ? 20 : 40);
    }

    byte[] header(MacAddress dst, MacAddress src) {
      int type = isIpv4() ? Frames.IPV4 : Frames.IPV6;
      byte[] ether =
          ip == 14 ? Frames.ethernet(dst, src, type) : Frames.tagged(dst, src, 0x3005, type);
      byte[] network =
          isIpv4() ? Frames.ipv4(Frames.TCP, 0, ID, 0x4000) : Frames.ipv6(Frames.TCP, 0);
      return Frames.join(ether, network, Frames.tcp(SEQUENCE, ALL_FLAGS));
    }
  }

  static Stream<Arguments> streams() {
    List<Arguments> all = new ArrayList<>();
    for (Network network : Network.values()) {
      for (PostingApi api : PostingApi.values()) {
        for (int length : new int[] {0, 1, 7, 999, 1000, 1001, 2000, 4321}) {
          all.add(Arguments.of(network, api, length));
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{2} bytes over {0}, {1}")
  @MethodSource("streams")
  @Proves({"S9.6", "WR-012", "WR-094", "WR-107", "WR-108", "PS-024", "PS-025", "PS-026", "PS-088"})
  void aStreamIsCutIntoSegments(Network network, PostingApi api, int length) {
    int segments = Math.max(1, (length + MSS - 1) / MSS);
    try (Station a = Station.open();
        Station b = Station.open().listening(segments)) {
      byte[] header = network.header(b.mac(), a.mac());
      byte[] stream = a.end().fill(0, length, length);
      api.post(a.end().qp(), a.tso(1, header, MSS, length));
      WorkCompletion wc = a.end().sent(1);
      assertThat(wc.opcode()).isEqualTo(WcOpcode.TSO);
      a.end().assertNothingSent();
      byte[] arrived = {};
      for (int i = 0; i < segments; i++) {
        byte[] frame = b.received(i);
        int payload = Math.min(MSS, length - i * MSS);
        check(network, frame, header, i, payload, i == segments - 1);
        int end = header.length + payload;
        arrived = Frames.join(arrived, Arrays.copyOfRange(frame, header.length, end));
        assertThat(frame.length).isEqualTo(Math.max(60, end));
      }
      assertThat(arrived).isEqualTo(stream);
      b.end().assertNothingReceived();
    }
  }

  private static void check(
      Network network, byte[] frame, byte[] header, int index, int payload, boolean last) {
    int ip = network.ip();
    int tcp = network.tcp();
    byte[] expected = Arrays.copyOf(header, header.length);
    if (network.isIpv4()) {
      put(expected, ip + 2, 40 + payload);
      put(expected, ip + 4, ID + index);
      put(expected, ip + 10, Frames.word(frame, ip + 10));
      assertThat(Frames.isIpv4Valid(frame, ip)).as("IPv4 checksum of segment %d", index).isTrue();
    } else {
      put(expected, ip + 4, 20 + payload);
    }
    int sequence = SEQUENCE + index * MSS;
    put(expected, tcp + 4, sequence >>> 16);
    put(expected, tcp + 6, sequence);
    int flags = Frames.ACK;
    flags |= last ? Frames.FIN | Frames.PSH : 0;
    flags |= index == 0 ? Frames.CWR : 0;
    expected[tcp + 13] = (byte) flags;
    put(expected, tcp + 16, Frames.word(frame, tcp + 16));
    assertThat(Frames.isUpperValid(frame, ip)).as("TCP checksum of segment %d", index).isTrue();
    assertThat(Arrays.copyOf(frame, header.length)).as("header %d", index).isEqualTo(expected);
  }

  private static void put(byte[] frame, int at, int word) {
    frame[at] = (byte) (word >> 8);
    frame[at + 1] = (byte) word;
  }

  @ParameterizedTest
  @EnumSource
  void piecesOfOddLengthMakeValidSegments(PostingApi api) {
    try (Station a = Station.open();
        Station b = Station.open().listening(4)) {
      byte[] header = Network.IPV4.header(b.mac(), a.mac());
      a.end().fill(0, 4096, 3);
      SendWr wr = a.tso(1, header, 333, 0);
      wr.sgList(
          a.end().sge(1, 1), a.end().sge(5, 332), a.end().sge(400, 334), a.end().sge(800, 332));
      api.post(a.end().qp(), wr);
      a.end().sent(1);
      for (int i = 0; i < 3; i++) {
        assertThat(Frames.isUpperValid(b.received(i), 14)).as("segment %d", i).isTrue();
      }
      b.end().assertNothingReceived();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Proves("S2.17")
  void theHeaderIsCopiedWhilePosting(PostingApi api) {
    try (Station a = Station.open();
        Station b = Station.open().listening(1);
        Arena arena = Arena.ofConfined()) {
      byte[] header = Network.IPV4.header(b.mac(), a.mac());
      MemorySegment own = arena.allocate(header.length);
      own.copyFrom(MemorySegment.ofArray(header));
      SendWr wr = a.tso(1, header, MSS, 10).tsoHdr(own);
      if (api == PostingApi.POST_SEND) {
        a.end().qp().postSend(wr);
        own.fill((byte) 0);
      } else {
        a.end().qp().wrStart();
        PostingApi.build(a.end().qp(), wr);
        own.fill((byte) 0);
        a.end().qp().wrComplete();
      }
      a.end().sent(1);
      assertThat(Frames.isUpperValid(b.received(0), 14)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Proves("S1.3.10")
  void impossibleRequestsAreRefused(PostingApi api) {
    try (Station a = Station.open()) {
      byte[] good = Network.IPV4.header(a.mac(), a.mac());
      int max = Station.MAX_TSO_HEADER;
      long maxTso = a.end().context().queryDeviceEx().maxTso();
      assertThat(maxTso).isPositive().isLessThan(Station.HALF);
      refused(a, api, a.tso(1, good, 0, 10), "mss 0");
      refused(a, api, a.tso(1, good, 0x10000, 10), "mss 65536");
      refused(a, api, a.tso(1, new byte[0], MSS, 10), "without header");
      refused(a, api, a.tso(1, new byte[max + 1], MSS, 10), "max_tso_header=" + max);
      refused(a, api, a.tso(1, good, MSS, (int) maxTso + 1), "max_tso=" + maxTso);
      refused(a, api, a.tso(1, good, 9018, 10), "9018");
      refused(a, api, a.tso(1, Arrays.copyOf(good, good.length - 1), MSS, 10), "TSO header");
      refused(a, api, a.tso(1, Arrays.copyOf(good, good.length + 1), MSS, 10), "TSO header");
      byte[] udp = Frames.join(Arrays.copyOf(good, 14), Frames.ipv4(17, 8), Frames.udp(0));
      refused(a, api, a.tso(1, udp, MSS, 10), "TSO header");
      // A queue pair made without TSO.
      CompletionQueue cq = a.end().context().createCq(4);
      QpInitAttr plain = new QpInitAttr(QpType.RAW_PACKET).sendCq(cq).recvCq(cq);
      var qp = a.end().pd().createQpEx(plain.sendOps(SendOps.TSO));
      Station.toRts(qp);
      assertThat(Refusal.with(Errno.EINVAL, () -> api.post(qp, a.tso(1, good, MSS, 10))))
          .hasMessageContaining("max_tso_header=0");
    }
  }

  @Test
  @Proves("S2.13")
  void itsDataCannotBeInline() {
    try (Station a = Station.open()) {
      QueuePairEx qp = a.end().qp();
      byte[] header = Network.IPV4.header(a.mac(), a.mac());
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrSendTso(MemorySegment.ofArray(header), MSS);
      qp.wrSetInlineData(MemorySegment.ofArray(new byte[10]));
      Refusal.of(qp::wrComplete);
      PostingApi.WR.post(qp, a.tso(2, header, MSS, 10));
      a.end().sent(2);
      a.end().assertNothingSent();
    }
  }

  @Test
  @Proves("S6.17")
  void aCursorTellsItsCompletion() {
    try (Station a = Station.open()) {
      CompletionQueueEx cq =
          a.end().context().createCqEx(new CqInitAttrEx(4).wcFlags(WcExFlags.STANDARD_FLAGS));
      QpInitAttr init = new QpInitAttr(QpType.RAW_PACKET).sendCq(cq).recvCq(cq);
      QueuePair qp = a.end().pd().createQp(init.maxTsoHeader(Station.MAX_TSO_HEADER));
      Station.toRts(qp);
      qp.postSend(a.tso(3, Network.IPV4.header(a.mac(), a.mac()), MSS, 10));
      Await.until("the completion of the TSO request", cq::startPoll);
      assertThat(cq.wrId()).isEqualTo(3);
      assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(cq.readOpcode()).isEqualTo(WcOpcode.TSO);
      assertThat(cq.readQpNum()).isEqualTo(qp.qpNum());
      cq.endPoll();
    }
  }

  @Test
  @Proves("S1.3.10")
  void aRequestWithoutHeaderIsRefused() {
    try (Station a = Station.open()) {
      SendWr wr = a.tso(1, new byte[1], MSS, 10).tsoHdr(null);
      Refusal.with(Errno.EINVAL, () -> a.end().qp().postSend(wr));
    }
  }

  private static void refused(Station a, PostingApi api, SendWr wr, String why) {
    assertThat(Refusal.with(Errno.EINVAL, () -> api.post(a.end().qp(), wr)))
        .hasMessageContaining(why);
  }

  @Test
  @Proves("S9.7")
  void onlyTypesThatTheCapabilitiesNameCanBeMadeForTso() {
    try (Station a = Station.open()) {
      DeviceAttrEx attr = a.end().context().queryDeviceEx();
      CompletionQueue cq = a.end().context().createCq(4);
      for (QpType type : new QpType[] {QpType.RC, QpType.UC, QpType.UD, QpType.RAW_PACKET}) {
        boolean has = (attr.tsoSupportedQpts() & 1 << type.number()) != 0;
        QpInitAttr init = new QpInitAttr(type).sendCq(cq).recvCq(cq).maxTsoHeader(64);
        if (has) {
          var qp = a.end().pd().createQp(init);
          assertThat(qp.queryInit().maxTsoHeader()).isGreaterThanOrEqualTo(64);
          Refused.of(() -> a.end().pd().createQp(init.maxTsoHeader(1 << 20)), Errno.EINVAL)
              .naming("max_tso_header");
          Refused.of(() -> a.end().pd().createQp(init.maxTsoHeader(-1)), Errno.EINVAL);
        } else {
          Refused.of(() -> a.end().pd().createQp(init), Errno.EINVAL, Errno.EOPNOTSUPP);
        }
      }
      assertThat(attr.tsoSupportedQpts() & 1 << QpType.RAW_PACKET.number()).isNotZero();
    }
  }
}
