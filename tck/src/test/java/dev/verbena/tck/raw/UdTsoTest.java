package dev.verbena.tck.raw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Frames;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** TSO on UD: each segment is a datagram, with the header of IP over InfiniBand in front. */
final class UdTsoTest {
  private static final byte[] IPOIB = {8, 0, 0, 0};
  private static final int GRH = Grh.LENGTH;
  private static final int MSS = 500;
  private static final int LENGTH = 1200;
  private static final int SEGMENTS = 3;
  private static final int SLOT = 1024;
  private static final int SEQUENCE = 0x1000;

  @OnEveryLinkAndApi
  @Proves({"PS-084", "WR-092", "WR-012", "WR-018", "S9.6", "S1.1/TSO", "S1.5.4"})
  void aStreamArrivesInDatagrams(TckLink link, PostingApi api) {
    PairSetup setup =
        PairSetup.on(link).type(QpType.UD).sendOps(PairSetup.UD_OPS, SendOps.TSO).maxTsoHeader(64);
    try (QpPair pair = setup.open()) {
      QpEnd left = pair.left();
      byte[] stream = left.fill(0, LENGTH, 3);
      byte[] header = Frames.ipoib(SEQUENCE, Frames.ACK | Frames.FIN);
      AddressHandle ah = left.ahTo(pair.right());
      for (int i = 0; i < SEGMENTS; i++) {
        receive(pair.right(), i);
      }
      Map<Integer, byte[]> segments = new TreeMap<>();
      // On a lossy link a segment may have to be sent more than once.
      Await.until(
          () -> "all segments, there are those of " + segments.keySet(),
          () -> {
            api.post(left.qp(), left.to(pair.right(), ah, tso(left, header)));
            assertThat(left.sent(1).opcode()).isEqualTo(WcOpcode.TSO);
            left.assertNothingSent();
            collect(pair.right(), header, segments);
            return segments.size() == SEGMENTS;
          });
      assertThat(segments.keySet()).containsExactly(0, MSS, 2 * MSS);
      assertThat(Frames.join(segments.values().toArray(byte[][]::new))).isEqualTo(stream);
    }
  }

  @OnEveryLink
  @Proves("S9.3")
  void steeringToDatagramQueuePairsIsRefusedByName(TckLink link) {
    try (QpPair pair = QpPair.open(link, QpType.UD)) {
      Refused.of(
              () -> pair.left().qp().createFlow(FlowAttr.normal(new FlowSpecEth())),
              Errno.EOPNOTSUPP)
          .from("createFlow")
          .naming("UD");
    }
  }

  private static SendWr tso(QpEnd end, byte[] header) {
    return new SendWr()
        .wrId(1)
        .opcode(WrOpcode.TSO)
        .sendFlags(SendFlags.SIGNALED)
        .tsoHdr(MemorySegment.ofArray(header))
        .mss(MSS)
        .sgList(end.sge(0, 700), end.sge(700, LENGTH - 700));
  }

  private static void receive(QpEnd end, long slot) {
    end.postRecv(slot, end.sge(slot * SLOT, SLOT));
  }

  /** Takes the received segments: the data of each by its place in the stream. */
  private static void collect(QpEnd end, byte[] header, Map<Integer, byte[]> segments) {
    WorkCompletion wc = new WorkCompletion();
    while (end.recvCq().poll(wc)) {
      byte[] message = end.bytes(wc.wrId() * SLOT + GRH, wc.byteLen() - GRH);
      int tcp = IPOIB.length + 20;
      int length = message.length - header.length;
      int at = word(message, tcp + 4) << 16 | word(message, tcp + 6);
      boolean last = at - SEQUENCE + length == LENGTH;
      assertThat(Arrays.copyOf(message, IPOIB.length)).isEqualTo(IPOIB);
      assertThat(word(message, IPOIB.length + 2)).as("IP length").isEqualTo(40 + length);
      assertThat(Frames.isIpv4Valid(message, IPOIB.length)).as("IP checksum").isTrue();
      assertThat(Frames.isUpperValid(message, IPOIB.length)).as("TCP checksum").isTrue();
      assertThat(message[tcp + 13])
          .as("TCP flags of the segment at %d", at)
          .isEqualTo((byte) (last ? Frames.ACK | Frames.FIN : Frames.ACK));
      segments.put(at - SEQUENCE, Arrays.copyOfRange(message, header.length, message.length));
      receive(end, wc.wrId());
    }
  }

  private static int word(byte[] message, int at) {
    return (message[at] & 0xff) << 8 | (message[at + 1] & 0xff);
  }
}
