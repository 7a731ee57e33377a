package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Samples.Sample;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpUdpFrameTest {
  private static final String IPV4 = "4502002000014000401126c70a0000010a000002";
  private static final String UDP = "c00012b7000c0000";
  private static final String PAYLOAD = "01020304";

  private final IpUdpFrame frame = new IpUdpFrame();

  static Stream<Sample> samples() {
    return Samples.all();
  }

  @Test
  void fieldsOfIpv4AreRead() {
    assertThat(parse(IPV4 + UDP + PAYLOAD)).isTrue();
    assertThat(frame.isIpv4()).isTrue();
    assertThat(frame.src()).isEqualTo(Address.ofIpv4(0x0A000001));
    assertThat(frame.dst()).isEqualTo(Address.ofIpv4(0x0A000002));
    assertThat(frame.trafficClass()).isEqualTo(2);
    assertThat(frame.hopLimit()).isEqualTo(64);
    assertThat(frame.identification()).isEqualTo(1);
    assertThat(frame.dontFragment()).isTrue();
    assertThat(frame.srcPort()).isEqualTo(0xC000);
    assertThat(frame.dstPort()).isEqualTo(4791);
    assertThat(frame.payloadOffset()).isEqualTo(28);
    assertThat(frame.payloadLength()).isEqualTo(4);
  }

  @Test
  void fieldsOfIpv6AreRead() {
    String addresses = "fd000000000000000000000000000001" + "fe800000000000000000000000000002";
    assertThat(parse("6fedcba9" + "000c" + "11" + "3f" + addresses + UDP + PAYLOAD)).isTrue();
    assertThat(frame.isIpv4()).isFalse();
    assertThat(frame.src()).isEqualTo(new Address(0xFD00_0000_0000_0000L, 1));
    assertThat(frame.dst()).isEqualTo(new Address(0xFE80_0000_0000_0000L, 2));
    assertThat(frame.trafficClass()).isEqualTo(0xFE);
    assertThat(frame.flowLabel()).isEqualTo(0xDCBA9);
    assertThat(frame.identification()).isZero();
    assertThat(frame.dontFragment()).isTrue();
    assertThat(frame.hopLimit()).isEqualTo(63);
    assertThat(parse("60000000" + "0008" + "11" + "3f" + addresses + "c00012b700080000")).isTrue();
    assertThat(frame.payloadLength()).isZero();
    assertThat(parse("60000000" + "0007" + "11" + "3f" + addresses + "c00012b7000700")).isFalse();
  }

  @Test
  void aPacketThatMayBeFragmentedSaysSo() {
    assertThat(parse(IPV4.replaceFirst("4000", "0000") + UDP + PAYLOAD)).isTrue();
    assertThat(frame.dontFragment()).isFalse();
    assertThat(frame.flowLabel()).isZero();
  }

  @Test
  void paddingOfShortEthernetFramesIsNoPayload() {
    assertThat(parse(IPV4 + UDP + PAYLOAD + "00".repeat(14))).isTrue();
    assertThat(frame.payloadLength()).isEqualTo(4);
  }

  @Test
  void optionsOfIpv4AreSkipped() {
    String header = "4600002400014000401126c70a0000010a000002" + "01010101";
    assertThat(parse(header + UDP + PAYLOAD)).isTrue();
    assertThat(frame.payloadOffset()).isEqualTo(32);
    assertThat(frame.payloadLength()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // A fragment, TCP, a total length beyond the frame, an impossible header length.
        "4500002000012000401126c70a0000010a000002",
        "4500002000014000400626c70a0000010a000002",
        "4500002100014000401126c70a0000010a000002",
        "4400002000014000401126c70a0000010a000002",
        "4f00002000014000401126c70a0000010a000002",
      })
  void whatIsNoWholeUdpDatagramIsRefused(String header) {
    assertThat(parse(header + UDP + PAYLOAD)).isFalse();
  }

  @Test
  void whatIsCutShortOrOfAnotherTypeIsRefused() {
    String macs = "020000000002" + "020000000001";
    MemorySegment ethernet = Hex.segment(macs + "0800" + IPV4 + UDP + PAYLOAD);
    int whole = (int) ethernet.byteSize();
    assertThat(frame.parse(LinkType.ETHERNET, ethernet, 0, whole)).isTrue();
    for (int length : new int[] {0, 13, 14, 33, 41, whole - 1}) {
      assertThat(frame.parse(LinkType.ETHERNET, ethernet, 0, length))
          .as("%d bytes", length)
          .isFalse();
    }
    MemorySegment arp = Hex.segment(macs + "0806" + IPV4 + UDP + PAYLOAD);
    assertThat(frame.parse(LinkType.ETHERNET, arp, 0, whole)).isFalse();
    assertThat(parse("")).isFalse();
    assertThat(parse("5" + IPV4.substring(1) + UDP + PAYLOAD)).isFalse();
    String ipv6 = "60000000" + "000c" + "11" + "3f" + "fd".repeat(32) + UDP + PAYLOAD;
    assertThat(parse(ipv6)).isTrue();
    assertThat(parse(ipv6.substring(0, ipv6.length() - 2))).isFalse();
    assertThat(parse(ipv6.substring(0, 78))).isFalse();
    MemorySegment withIpv6 = Hex.segment(macs + "86dd" + ipv6);
    assertThat(frame.parse(LinkType.ETHERNET, withIpv6, 0, withIpv6.byteSize())).isTrue();
    assertThat(frame.parse(LinkType.ETHERNET, withIpv6, 0, withIpv6.byteSize() - 1)).isFalse();
  }

  @Test
  void aUdpLengthThatDisagreesWithIpIsRefused() {
    assertThat(parse(IPV4 + "c00012b7000b0000" + PAYLOAD)).isFalse();
    assertThat(parse(IPV4 + "c00012b7000d0000" + PAYLOAD)).isFalse();
  }

  @Tag("fuzz")
  @ParameterizedTest
  @MethodSource("samples")
  void everyFrameCutOrChangedInItsHeadersIsRefusedOrStaysInside(Sample sample) {
    byte[] bytes = sample.frame().toArray(ValueLayout.JAVA_BYTE);
    int whole = (int) sample.headers().payloadOffset() + sample.headers().payloadLength();
    for (int length = 0; length < whole; length++) {
      MemorySegment cut = sample.frame().asSlice(0, length);
      assertThat(frame.parse(LinkType.ETHERNET, cut, 0, length)).as("length %d", length).isFalse();
      assertThat(frame.parseIp(cut, 0, length)).isFalse();
    }
    MemorySegment changed = Hex.segment(bytes);
    for (int at = 0; at < sample.headers().payloadOffset(); at++) {
      for (int value = 0; value < 256; value++) {
        changed.set(ValueLayout.JAVA_BYTE, at, (byte) value);
        if (frame.parse(LinkType.ETHERNET, changed, 0, bytes.length)) {
          assertThat(frame.payloadOffset() + frame.payloadLength())
              .isLessThanOrEqualTo(bytes.length);
        }
      }
      changed.set(ValueLayout.JAVA_BYTE, at, bytes[at]);
    }
  }

  private boolean parse(String hex) {
    MemorySegment bytes = Hex.segment(hex);
    return frame.parseIp(bytes, 0, bytes.byteSize());
  }
}
