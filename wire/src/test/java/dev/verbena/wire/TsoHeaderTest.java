package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TsoHeaderTest {
  private static final int MSS = 7;

  /** FIN, PSH, ACK and CWR set; identification 0xFFFF; sequence 0xFFFFFFFE. */
  private static final String IPV4 =
      EthernetFrameTest.MACS + "0800" + "45020000ffff4000400600000a0000010a000002";

  private static final String TCP = "04000050fffffffe000000025099ffff00000000";

  private final TsoHeader tso = new TsoHeader();
  private final MemorySegment segment = Arena.ofAuto().allocate(256);
  private final EthernetFrame frame = new EthernetFrame();

  @Test
  void everySegmentOverIpv4IsANumberedValidPacket() {
    assertThat(template(IPV4 + TCP, true)).isTrue();
    for (int index = 0; index < 3; index++) {
      boolean last = index == 2;
      int payload = last ? 3 : MSS;
      int length = make(54, index, payload, last);
      assertThat(frame.parse(segment, 0, length)).isTrue();
      assertThat(frame.ipEnd()).as("IP length").isEqualTo(length);
      assertThat(frame.isWholePacket()).isTrue();
      assertThat(new FrameChecksums().areValid(frame)).isTrue();
      assertThat(segment.get(Layouts.SHORT, 18)).isEqualTo((short) (0xFFFF + index));
      assertThat(segment.get(Layouts.INT, 38)).isEqualTo(0xFFFF_FFFE + index * MSS);
      int flags = segment.get(Layouts.BYTE, 47) & 0xFF;
      assertThat(flags & 0x09).as("FIN and PSH").isEqualTo(last ? 0x09 : 0);
      assertThat(flags & 0x80).as("CWR").isEqualTo(index == 0 ? 0x80 : 0);
      assertThat(flags & 0x10).as("ACK").isEqualTo(0x10);
    }
  }

  @Test
  void tagsOptionsAndExtensionHeadersAreRepeated() {
    String tagged = EthernetFrameTest.MACS + "8100" + "2005" + "86dd";
    String ipv6 = "60000000" + "0000" + "00" + "40" + "fd".repeat(32) + "0600010400000000";
    String tcp = "0400005000000010000000026019ffff00000000" + "01010101";
    assertThat(template(tagged + ipv6 + tcp, true)).isTrue();
    int header = 18 + 48 + 24;
    int length = make(header, 1, 5, true);
    assertThat(frame.parse(segment, 0, length)).isTrue();
    assertThat(frame.vlanTag()).isEqualTo(0x2005);
    assertThat(frame.ipEnd()).as("IPv6 payload length").isEqualTo(length);
    assertThat(frame.isWholePacket()).isTrue();
    assertThat(frame.tcpPayloadOffset()).isEqualTo(header);
    int carried = segment.get(Layouts.SHORT, header - 24 + 16) & 0xFFFF;
    new FrameChecksums().fill(frame);
    assertThat(segment.get(Layouts.SHORT, header - 24 + 16) & 0xFFFF).isEqualTo(carried);
    assertThat(segment.get(Layouts.INT, header - 24 + 4)).isEqualTo(0x10 + MSS);
  }

  @Test
  void theHeaderOfIpOverInfiniBandMayBeginIt() {
    assertThat(template("08000000" + IPV4.substring(28) + TCP, false)).isTrue();
    make(44, 0, MSS, false);
    assertThat(segment.get(Layouts.SHORT, 4 + 2)).isEqualTo((short) (40 + MSS));
  }

  @Test
  void whatTheTemplateHasInItsChecksumsDoesNotCount() {
    String ip = IPV4.substring(0, IPV4.length() - 20) + "1234" + IPV4.substring(IPV4.length() - 16);
    String tcp = TCP.substring(0, 32) + "5678" + TCP.substring(36);
    assertThat(template(ip + tcp, true)).isTrue();
    int length = make(54, 1, 7, true);
    assertThat(frame.parse(segment, 0, length)).isTrue();
    assertThat(new FrameChecksums().areValid(frame)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Too short, UDP, ARP, bytes behind the TCP header, a TCP header cut short, a fragment.
        "0200000000020200000000010800",
        IPV4_UDP,
        "02000000000202000000000108060001",
        "020000000002020000000001080045020000ffff4000400600000a0000010a000002"
            + "04000050fffffffe000000025099ffff00000000"
            + "00",
        "020000000002020000000001080045020000ffff4000400600000a0000010a000002"
            + "04000050fffffffe000000026099ffff00000000",
        "020000000002020000000001080045020000ffff2000400600000a0000010a000002"
            + "04000050fffffffe000000025099ffff00000000"
      })
  void whatDoesNotEndWithATcpHeaderIsNoTemplate(String header) {
    assertThat(template(header, true)).isFalse();
  }

  private static final String IPV4_UDP =
      "020000000002020000000001080045020000ffff4000401100000a0000010a000002" + "0001000200080000";

  @Test
  void aSegmentFillsTheIpPacketAtTheMost() {
    assertThat(template(IPV4 + TCP, true)).isTrue();
    assertThat(tso.mostPayload()).isEqualTo(65_535 - 40);
    String ipv6 = EthernetFrameTest.MACS + "86dd" + EthernetFrameTest.IPV6_TCP;
    assertThat(template(ipv6 + TCP, true)).isTrue();
    assertThat(tso.mostPayload()).isEqualTo(65_535 - 20);
  }

  private boolean template(String hex, boolean ethernet) {
    MemorySegment header = Hex.segment(hex);
    return tso.template(header, (int) header.byteSize(), ethernet);
  }

  private int make(int header, int index, int payload, boolean last) {
    tso.write(segment, 0, index, MSS, payload, last);
    for (int i = 0; i < payload; i++) {
      segment.set(ValueLayout.JAVA_BYTE, header + i, (byte) (index * MSS + i));
    }
    tso.beginChecksum(segment, 0, payload).add(segment, header, payload);
    tso.seal(segment, 0);
    return header + payload;
  }
}
