package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EthernetFrameTest {
  static final String MACS = "020000000002" + "020000000001";
  static final String IPV4 = "4502002800014000400600000a0000010a000002";
  static final String TCP = "0400005000000001000000025018ffff00000000";
  static final String IPV6_TCP =
      "61234567"
          + "0014"
          + "06"
          + "3f"
          + "fd000000000000000000000000000001"
          + "fd000000000000000000000000000002";

  private final EthernetFrame frame = new EthernetFrame();

  @Test
  void fieldsOfTcpOverIpv4AreRead() {
    assertThat(parse(MACS + "0800" + IPV4 + TCP)).isTrue();
    assertThat(frame.dst()).isEqualTo(0x0200_0000_0002L);
    assertThat(frame.src()).isEqualTo(0x0200_0000_0001L);
    assertThat(frame.isTagged()).isFalse();
    assertThat(frame.etherType()).isEqualTo(0x0800);
    assertThat(frame.ipVersion()).isEqualTo(4);
    assertThat(frame.ipv4Src()).isEqualTo(0x0A00_0001);
    assertThat(frame.ipv4Dst()).isEqualTo(0x0A00_0002);
    assertThat(frame.ipv4Tos()).isEqualTo(2);
    assertThat(frame.ipv4Ttl()).isEqualTo(64);
    assertThat(frame.ipv4Flags()).isEqualTo(2);
    assertThat(frame.protocol()).isEqualTo(6);
    assertThat(frame.upper()).isEqualTo(EthernetFrame.TCP);
    assertThat(frame.srcPort()).isEqualTo(1024);
    assertThat(frame.dstPort()).isEqualTo(80);
    assertThat(frame.upperOffset()).isEqualTo(34);
    assertThat(frame.upperLength()).isEqualTo(20);
    assertThat(frame.tcpPayloadOffset()).isEqualTo(54);
  }

  @Test
  void fieldsOfTcpOverIpv6AreRead() {
    assertThat(parse(MACS + "86dd" + IPV6_TCP + TCP)).isTrue();
    assertThat(frame.ipVersion()).isEqualTo(6);
    assertThat(frame.ipv6SrcHi()).isEqualTo(0xFD00_0000_0000_0000L);
    assertThat(frame.ipv6SrcLo()).isEqualTo(1);
    assertThat(frame.ipv6DstHi()).isEqualTo(0xFD00_0000_0000_0000L);
    assertThat(frame.ipv6DstLo()).isEqualTo(2);
    assertThat(frame.ipv6TrafficClass()).isEqualTo(0x12);
    assertThat(frame.ipv6FlowLabel()).isEqualTo(0x34567);
    assertThat(frame.ipv6NextHeader()).isEqualTo(6);
    assertThat(frame.ipv6HopLimit()).isEqualTo(63);
    assertThat(frame.upper()).isEqualTo(EthernetFrame.TCP);
    assertThat(frame.upperOffset()).isEqualTo(54);
  }

  @Test
  void theTypeIsTheOneBehindTheLastTag() {
    assertThat(parse(MACS + "8100" + "6064" + "0800" + IPV4 + TCP)).isTrue();
    assertThat(frame.isTagged()).isTrue();
    assertThat(frame.vlanTag()).isEqualTo(0x6064);
    assertThat(frame.etherType()).isEqualTo(0x0800);
    assertThat(frame.upper()).isEqualTo(EthernetFrame.TCP);
    assertThat(parse(MACS + "88a8" + "0001" + "8100" + "0002" + "0800" + IPV4 + TCP)).isTrue();
    assertThat(frame.vlanTag()).isEqualTo(1);
    assertThat(frame.upperOffset()).isEqualTo(42);
  }

  @Test
  void paddingIsNoPayload() {
    String datagram = "4500001e0000000040110000" + "0a0000010a000002" + "00010002000a0000" + "4142";
    assertThat(parse(MACS + "0800" + datagram + "00".repeat(16))).isTrue();
    assertThat(frame.upper()).isEqualTo(EthernetFrame.UDP);
    assertThat(frame.upperLength()).isEqualTo(10);
    assertThat(frame.ipEnd()).isEqualTo(44);
  }

  @Test
  void extensionHeadersAreWalkedToTheUpperLayer() {
    String ipv6 = IPV6_TCP.replaceFirst("00140", "00240").replaceFirst("06" + "3f", "003f");
    String hopByHop = "3c00010400000000";
    String destination = "0600010400000000";
    assertThat(parse(MACS + "86dd" + ipv6 + hopByHop + destination + TCP)).isTrue();
    assertThat(frame.upper()).isEqualTo(EthernetFrame.TCP);
    assertThat(frame.ipv6NextHeader()).isZero();
    assertThat(frame.upperOffset()).isEqualTo(70);
    // A fragment header: what follows it is ignored.
    String fragment = IPV6_TCP.replaceFirst("0014063f", "001c2c3f");
    assertThat(parse(MACS + "86dd" + fragment + "0600000000000001" + TCP)).isTrue();
    assertThat(frame.ipVersion()).isEqualTo(6);
    assertThat(frame.upper()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    // Of 8 bytes to the end; of 16, with 8 there; 7 bytes; of 16 to the end.
    "00, 3c00010400000000, 60",
    "00, 3c01010400000000, 0",
    "00, 3c000104000000, 0",
    "3c, 3b010104000000000000000000000000, 59",
    // A route that ends here, and one that goes on; no extension header.
    "2b, 0600000000000000, 6",
    "2b, 0600000100000000, 43",
    "33, 0600000000000000, 51"
  })
  void anExtensionHeaderIsSkippedIfItIsWhole(String first, String header, int protocol) {
    String ipv6 =
        IPV6_TCP.replaceFirst("0014063f", "00%02x%s3f".formatted(header.length() / 2, first));
    assertThat(parse(MACS + "86dd" + ipv6 + header)).isTrue();
    assertThat(frame.protocol()).isEqualTo(protocol);
    assertThat(frame.isWholePacket()).isTrue();
    assertThat(frame.upper()).isZero();
  }

  @Test
  void eightExtensionHeadersAreSkippedAndNoMore() {
    String extension = "0000010400000000";
    for (int more = 0; more <= 1; more++) {
      String headers = extension.repeat(7 + more) + "0600010400000000";
      int payload = headers.length() / 2 + 20;
      String ipv6 = IPV6_TCP.replaceFirst("0014063f", "00%02x003f".formatted(payload));
      assertThat(parse(MACS + "86dd" + ipv6 + headers + TCP)).isTrue();
      assertThat(frame.upper()).isEqualTo(more == 0 ? EthernetFrame.TCP : 0);
    }
  }

  @Test
  void twoTagsAreSkippedAndOneThatIsCutIsNone() {
    String tags = "8100" + "0001" + "8100" + "0002" + "8100" + "0003" + "0800";
    assertThat(parse(MACS + tags + IPV4 + TCP)).isTrue();
    assertThat(frame.etherType()).isEqualTo(0x8100);
    assertThat(frame.ipVersion()).isZero();
    assertThat(parse(MACS + "8100" + "000508")).isTrue();
    assertThat(frame.isTagged()).isFalse();
    assertThat(frame.etherType()).isEqualTo(0x8100);
    assertThat(parse(MACS + "8100" + "00050800")).isTrue();
    assertThat(frame.vlanTag()).isEqualTo(5);
    assertThat(frame.etherType()).isEqualTo(0x0800);
  }

  @Test
  void anIpHeaderAloneIsOne() {
    assertThat(parse(MACS + "0800" + IPV4.replaceFirst("0028", "0014"))).isTrue();
    assertThat(frame.ipVersion()).isEqualTo(4);
    assertThat(frame.protocol()).isEqualTo(6);
    assertThat(frame.ipEnd()).isEqualTo(34);
    assertThat(frame.isWholePacket()).isTrue();
    assertThat(parse(MACS + "0800" + IPV4.replaceFirst("0028", "0014").substring(2))).isTrue();
    assertThat(frame.ipVersion()).isZero();
    String options = "4602001800014000400600000a0000010a000002" + "01010101";
    assertThat(parse(MACS + "0800" + options)).isTrue();
    assertThat(frame.ipVersion()).isEqualTo(4);
    assertThat(frame.ipv4HeaderLength()).isEqualTo(24);
    assertThat(parse(MACS + "0800" + options.substring(0, 46))).isTrue();
    assertThat(frame.ipVersion()).as("its options are cut").isZero();
    assertThat(parse(MACS + "86dd" + IPV6_TCP.replaceFirst("0014", "0000"))).isTrue();
    assertThat(frame.ipVersion()).isEqualTo(6);
    assertThat(frame.isWholePacket()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    // TCP: no whole header, 20 bytes, options, options that are cut, a header of 16 bytes.
    "06, 0400005000000001000000025018ffff000000, 0",
    "06, 0400005000000001000000025018ffff00000000, 20",
    "06, 0400005000000001000000026018ffff0000000001010101, 24",
    "06, 0400005000000001000000026018ffff00000000, 0",
    "06, 0400005000000001000000024018ffff00000000, 0",
    // UDP: no whole header, 8 bytes, told 7 or 9 of 8, told 8 of 9, of the length of a TCP header.
    "11, 00010002000800, 0",
    "11, 0001000200080000, 8",
    "11, 0001000200070000, 0",
    "11, 0001000200090000, 0",
    "11, 000100020008000041, 8",
    "11, 0001000200140000000000005000000000000000, 20",
    "01, 0800000000000000500000000000000000000000, 0"
  })
  void theUpperHeaderIsReadIfItIsWhole(String protocol, String upper, int length) {
    int total = 20 + upper.length() / 2;
    String ipv4 = "450200%02x0001400040%s00000a0000010a000002".formatted(total, protocol);
    assertThat(parse(MACS + "0800" + ipv4 + upper)).isTrue();
    assertThat(frame.upperLength()).isEqualTo(length);
    assertThat(frame.upper()).isEqualTo(length == 0 ? 0 : Integer.parseInt(protocol, 16));
  }

  @Test
  void theLengthsOfATemplateDoNotCount() {
    MemorySegment header =
        Hex.segment("77" + MACS + "86dd" + IPV6_TCP.replaceFirst("0014", "ffff") + TCP);
    assertThat(frame.parseTemplate(header, 1, (int) header.byteSize() - 1)).isTrue();
    assertThat(frame.isWholePacket()).isTrue();
    assertThat(frame.ipEnd()).isEqualTo(74);
    assertThat(frame.upperLength()).isEqualTo(20);
    assertThat(frame.offset()).isEqualTo(1);
    assertThat(frame.srcPort()).isEqualTo(1024);
    assertThat(frame.parseTemplate(header, 1, 13)).isFalse();
    MemorySegment ipoib = Hex.segment("08000000" + IPV4 + TCP);
    assertThat(frame.parseIpoibTemplate(ipoib, 0, 3)).isFalse();
    assertThat(frame.parseIpoibTemplate(ipoib, 0, 4)).isTrue();
    assertThat(frame.etherType()).isEqualTo(0x0800);
    assertThat(frame.ipVersion()).isZero();
    assertThat(frame.parseIpoibTemplate(ipoib, 0, (int) ipoib.byteSize())).isTrue();
    assertThat(frame.upper()).isEqualTo(EthernetFrame.TCP);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // A fragment; a later fragment; no whole TCP header; an impossible TCP header length.
        "4502002800012000400600000a0000010a000002" + TCP,
        "4502002800010001400600000a0000010a000002" + TCP,
        "4502002700014000400600000a0000010a000002" + TCP,
        IPV4 + "0400005000000001000000024018ffff00000000"
      })
  void whatCannotBeReadIsLeftOut(String packet) {
    assertThat(parse(MACS + "0800" + packet)).isTrue();
    assertThat(frame.ipVersion()).isEqualTo(4);
    assertThat(frame.upper()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Total length below the header; impossible header length; version 5.
        "4502001000014000400600000a0000010a000002" + TCP,
        "4402002800014000400600000a0000010a000002" + TCP,
        "5502002800014000400600000a0000010a000002" + TCP
      })
  void anImpossibleIpHeaderIsNone(String packet) {
    assertThat(parse(MACS + "0800" + packet)).isTrue();
    assertThat(frame.ipVersion()).isZero();
    assertThat(frame.upper()).isZero();
  }

  @Test
  void headersOfAPacketThatGoesOnBehindTheFrameAreReadButItIsNotWhole() {
    assertThat(parse(MACS + "0800" + IPV4 + TCP)).isTrue();
    assertThat(frame.isWholePacket()).isTrue();
    assertThat(parse(MACS + "0800" + IPV4.replaceFirst("0028", "0030") + TCP)).isTrue();
    assertThat(frame.isWholePacket()).isFalse();
    assertThat(frame.ipv4Src()).isEqualTo(0x0A00_0001);
    assertThat(frame.dstPort()).isEqualTo(80);
    assertThat(frame.ipEnd()).isEqualTo(54);
    assertThat(parse(MACS + "86dd" + IPV6_TCP.replaceFirst("0014", "003c") + TCP)).isTrue();
    assertThat(frame.isWholePacket()).isFalse();
    assertThat(frame.ipv6DstLo()).isEqualTo(2);
    assertThat(frame.upper()).isEqualTo(EthernetFrame.TCP);
    assertThat(frame.upperLength()).isEqualTo(20);
    String udp = IPV6_TCP.replaceFirst("001406", "003c11") + "00010002" + "0034" + "0000" + "4142";
    assertThat(parse(MACS + "86dd" + udp)).isTrue();
    assertThat(frame.upper()).isEqualTo(EthernetFrame.UDP);
    assertThat(frame.upperLength()).isEqualTo(10);
    assertThat(parse(MACS + "0001")).isTrue();
    assertThat(frame.isWholePacket()).isFalse();
  }

  @Test
  void lessThanAnEthernetHeaderIsNoFrame() {
    assertThat(parse("00".repeat(13))).isFalse();
    assertThat(parse("00".repeat(14))).isTrue();
  }

  @Tag("fuzz")
  @Test
  void noContentAndNoLengthThrows() {
    long seed = 92;
    SplittableRandom random = new SplittableRandom(seed);
    String[] bases = {
      MACS + "0800" + IPV4 + TCP,
      MACS + "86dd" + IPV6_TCP + TCP,
      MACS + "8100" + "0001" + "86dd" + IPV6_TCP.replaceFirst("0014063f", "0014003f") + TCP
    };
    FrameChecksums checksums = new FrameChecksums();
    for (int round = 0; round < 30_000; round++) {
      MemorySegment bytes = Hex.segment(bases[random.nextInt(bases.length)]);
      for (int flips = random.nextInt(4); flips > 0; flips--) {
        long at = random.nextLong(bytes.byteSize());
        bytes.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
      }
      int length = random.nextInt((int) bytes.byteSize() + 1);
      if (frame.parse(bytes.asSlice(0, length), 0, length)) {
        checksums.areValid(frame);
        checksums.fill(frame);
        assertThat(frame.ipEnd()).isBetween(0, length);
        assertThat(frame.upperOffset() + frame.upperLength()).isLessThanOrEqualTo(length);
      }
    }
  }

  private boolean parse(String hex) {
    MemorySegment bytes = Hex.segment(hex);
    return frame.parse(bytes, 0, (int) bytes.byteSize());
  }
}
