package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrameChecksumsTest {
  private final EthernetFrame frame = new EthernetFrame();
  private final FrameChecksums checksums = new FrameChecksums();

  @Test
  void theExampleOfRfc1071() {
    InternetChecksum sum = new InternetChecksum();
    sum.add(Hex.segment("0001f203f4f5f6f7"), 0, 8);
    assertThat(sum.value()).isEqualTo(~0xDDF2 & 0xFFFF);
    assertThat(sum.reset().value()).isEqualTo(0xFFFF);
  }

  @Test
  void piecesOfAnyLengthAddUpToTheWhole() {
    SplittableRandom random = new SplittableRandom(7);
    InternetChecksum whole = new InternetChecksum();
    InternetChecksum pieces = new InternetChecksum();
    for (int round = 0; round < 200; round++) {
      byte[] bytes = new byte[random.nextInt(1, 200)];
      random.nextBytes(bytes);
      MemorySegment segment = Hex.segment(bytes);
      pieces.reset();
      int at = 0;
      while (at < bytes.length) {
        int piece = random.nextInt(0, bytes.length - at + 1);
        pieces.add(segment, at, piece);
        at += piece;
      }
      assertThat(whole.reset().add(segment, 0, bytes.length).value())
          .isEqualTo(naive(bytes))
          .isEqualTo(pieces.value());
    }
  }

  @Test
  void carriesAreAddedAgainAndAgain() {
    for (String bytes :
        new String[] {
          "ffffffffffffffff0000000000000001",
          "ffffffff00000001",
          "ffffffff0000ffff",
          "ffffffff000100",
          "ff".repeat(1 << 16)
        }) {
      MemorySegment segment = Hex.segment(bytes);
      byte[] all = segment.toArray(ValueLayout.JAVA_BYTE);
      assertThat(new InternetChecksum().add(segment, 0, all.length).value()).isEqualTo(naive(all));
    }
  }

  @Test
  void aPseudoHeaderIsTheSumOfItsFields() {
    InternetChecksum sum = new InternetChecksum();
    assertThat(sum.addPseudoIpv4(0x0A000001, 0xC0A80102, 17, 300).value())
        .isEqualTo(naive("0a000001" + "c0a80102" + "0011" + "012c"));
    sum.reset();
    assertThat(sum.addPseudoIpv4(0xFFFFFFFE, 0x80000001, 255, 0xFFFF).value())
        .isEqualTo(naive("fffffffe" + "80000001" + "00ff" + "ffff"));
    MemorySegment ipv6 = Hex.segment("77".repeat(8) + "f1".repeat(16) + "e2".repeat(16));
    sum.reset();
    assertThat(sum.addPseudoIpv6(ipv6, 0, 6, 0x1_2345).value())
        .isEqualTo(naive("f1".repeat(16) + "e2".repeat(16) + "00012345" + "00000006"));
  }

  @Test
  void theChecksumOfAnIpv4HeaderIsThatOfItsWordsButItsOwn() {
    SplittableRandom random = new SplittableRandom(8);
    for (int round = 0; round < 200; round++) {
      byte[] header = new byte[20];
      random.nextBytes(header);
      assertThat(IpUdpHeader.ipv4Checksum(Hex.segment(header), 0)).isEqualTo(ofHeader(header));
    }
    // Its carry carries once more.
    byte[] header = new byte[20];
    Arrays.fill(header, 0, 4, (byte) 0xFF);
    header[5] = 1;
    assertThat(IpUdpHeader.ipv4Checksum(Hex.segment(header), 0)).isEqualTo(ofHeader(header));
  }

  private static int ofHeader(byte[] header) {
    byte[] without = header.clone();
    without[10] = 0;
    without[11] = 0;
    return naive(without);
  }

  @Test
  void onlyAWholePacketOverIpv4WithAnUpperHeaderIsVouchedFor() {
    String ipv4 = "4500001c00010000401166ce0a0000010a000002";
    String udp = "00010002000800" + "00";
    MemorySegment packet = Hex.segment(EthernetFrameTest.MACS + "0800" + ipv4 + udp);
    parse(packet);
    checksums.fill(frame);
    assertThat(checksums.areValid(frame)).isTrue();
    for (long at : new long[] {14 + 8, 14 + 12, 14 + 20, 14 + 23, 14 + 26}) {
      byte good = packet.get(ValueLayout.JAVA_BYTE, at);
      packet.set(ValueLayout.JAVA_BYTE, at, (byte) (good ^ 0x10));
      parse(packet);
      assertThat(checksums.areValid(frame)).as("byte %d is damaged", at).isFalse();
      packet.set(ValueLayout.JAVA_BYTE, at, good);
    }
    parse(packet);
    assertThat(checksums.areValid(frame)).isTrue();
    // A sum that would be right as 0, which means "none" in UDP.
    String two = "4500001e00010000401166ce0a0000010a000002" + "00010002000a00000000";
    packet = Hex.segment(EthernetFrameTest.MACS + "0800" + two);
    parse(packet);
    checksums.fill(frame);
    short carried = packet.get(Layouts.SHORT, 14 + 20 + 6);
    packet.set(Layouts.SHORT, 14 + 20 + 8, carried);
    packet.set(Layouts.SHORT, 14 + 20 + 6, (short) 0);
    parse(packet);
    assertThat(checksums.areValid(frame)).isFalse();
    String protocol = "4500001400014000400100000a0000010a000002";
    packet = Hex.segment(EthernetFrameTest.MACS + "0800" + protocol);
    parse(packet);
    checksums.fill(frame);
    assertThat(checksums.areValid(frame)).as("neither TCP nor UDP").isFalse();
    packet =
        Hex.segment(
            EthernetFrameTest.MACS + "86dd" + EthernetFrameTest.IPV6_TCP + EthernetFrameTest.TCP);
    parse(packet);
    checksums.fill(frame);
    assertThat(checksums.areValid(frame)).as("IPv6").isFalse();
  }

  private void parse(MemorySegment packet) {
    assertThat(frame.parse(packet, 0, (int) packet.byteSize())).isTrue();
  }

  private static int naive(String hex) {
    return naive(Hex.segment(hex).toArray(ValueLayout.JAVA_BYTE));
  }

  /** RFC 1071 word by word. */
  private static int naive(byte[] bytes) {
    int sum = 0;
    for (int i = 0; i < bytes.length; i += 2) {
      int low = i + 1 < bytes.length ? bytes[i + 1] & 0xFF : 0;
      sum += (bytes[i] & 0xFF) << 8 | low;
      sum = (sum & 0xFFFF) + (sum >>> 16);
    }
    return ~sum & 0xFFFF;
  }

  @Test
  void aPacketFromTheFieldIsValid() {
    // A SYN as Linux sends it, its checksums by the kernel.
    MemorySegment syn =
        Hex.segment(
            EthernetFrameTest.MACS
                + "0800"
                + "4500003c1c4640004006b1e6ac100a63ac100a0c"
                + "a9a80050"
                + "00000000"
                + "00000000"
                + "5002ffff"
                + "0000"
                + "0000"
                + "0101010101010101010101010101010101010101");
    assertThat(frame.parse(syn, 0, (int) syn.byteSize())).isTrue();
    // Of the IPv4 header the sum is widely published; TCP's is filled in, and then holds.
    long before = syn.get(Layouts.SHORT, 24);
    checksums.fill(frame);
    assertThat(syn.get(Layouts.SHORT, 24)).isEqualTo((short) before);
    assertThat(checksums.areValid(frame)).isTrue();
  }

  @Test
  void nothingIsSaidOfAPacketThatGoesOnBehindTheFrame() {
    String longer = EthernetFrameTest.IPV4.replaceFirst("0028", "0030");
    MemorySegment bytes =
        Hex.segment(EthernetFrameTest.MACS + "0800" + longer + EthernetFrameTest.TCP);
    assertThat(frame.parse(bytes, 0, (int) bytes.byteSize())).isTrue();
    checksums.fill(frame);
    assertThat(bytes.get(Layouts.SHORT, 24)).as("IPv4").isNotZero();
    assertThat(bytes.get(Layouts.SHORT, 50)).as("TCP").isZero();
    assertThat(checksums.areValid(frame)).isFalse();
  }

  @Test
  void everyDamagedBitOfAFilledFrameIsSeen() {
    String udp = "0035003500110000" + "414243444546474849";
    MemorySegment bytes =
        Hex.segment(
            EthernetFrameTest.MACS + "0800" + "4500002500000000401100000a0000010a000002" + udp);
    int length = (int) bytes.byteSize();
    assertThat(frame.parse(bytes, 0, length)).isTrue();
    assertThat(checksums.areValid(frame)).isFalse();
    checksums.fill(frame);
    assertThat(frame.parse(bytes, 0, length)).isTrue();
    assertThat(checksums.areValid(frame)).isTrue();
    for (int bit = EthernetHeader.LENGTH * 8; bit < length * 8; bit++) {
      flip(bytes, bit);
      boolean vouched = frame.parse(bytes, 0, length) && checksums.areValid(frame);
      assertThat(vouched).as("bit %d", bit).isFalse();
      flip(bytes, bit);
    }
  }

  private static void flip(MemorySegment bytes, int bit) {
    byte value = bytes.get(ValueLayout.JAVA_BYTE, bit / 8);
    bytes.set(ValueLayout.JAVA_BYTE, bit / 8, (byte) (value ^ 1 << bit % 8));
  }

  @Test
  void udpOverIpv6IsFilledToo() {
    MemorySegment bytes =
        Hex.segment(
            EthernetFrameTest.MACS
                + "86dd"
                + "60000000"
                + "0009"
                + "11"
                + "40"
                + "fd000000000000000000000000000001"
                + "fd000000000000000000000000000002"
                + "0001000200090000"
                + "41");
    assertThat(frame.parse(bytes, 0, (int) bytes.byteSize())).isTrue();
    checksums.fill(frame);
    // 1 + 2 + 9 + 0x4100, both addresses 2 * fd00 + 3, length 9, protocol 17.
    int sum = 1 + 2 + 9 + 0x4100 + 2 * 0xFD00 + 3 + 9 + 17;
    int folded = (sum & 0xFFFF) + (sum >>> 16);
    assertThat(bytes.get(Layouts.SHORT, 54 + 6) & 0xFFFF).isEqualTo(~folded & 0xFFFF);
    assertThat(checksums.areValid(frame)).as("only IPv4 counts as checked").isFalse();
  }

  @Test
  void aUdpChecksumOfZeroIsWrittenAllOnes() {
    // The payload makes the sum 0xFFFF, whose complement is 0.
    String head = EthernetFrameTest.MACS + "0800" + "4500001e000000004011000000000000" + "00000000";
    MemorySegment bytes = Hex.segment(head + "00000000000a0000" + "ffda");
    assertThat(frame.parse(bytes, 0, (int) bytes.byteSize())).isTrue();
    checksums.fill(frame);
    assertThat(bytes.get(Layouts.SHORT, 34 + 6) & 0xFFFF).isEqualTo(0xFFFF);
    assertThat(checksums.areValid(frame)).isTrue();
  }

  @Test
  void fragmentsGetTheirIpv4ChecksumOnlyAndOtherFramesNothing() {
    MemorySegment fragment =
        Hex.segment(
            EthernetFrameTest.MACS
                + "0800"
                + "4502002800012000400600000a0000010a000002"
                + EthernetFrameTest.TCP);
    assertThat(frame.parse(fragment, 0, (int) fragment.byteSize())).isTrue();
    checksums.fill(frame);
    assertThat(fragment.get(Layouts.SHORT, 24)).isNotZero();
    assertThat(fragment.get(Layouts.SHORT, 34 + 16)).isZero();

    String arp = EthernetFrameTest.MACS + "0806" + "00".repeat(46);
    MemorySegment other = Hex.segment(arp);
    assertThat(frame.parse(other, 0, (int) other.byteSize())).isTrue();
    checksums.fill(frame);
    assertThat(Hex.text(other, 0, other.byteSize())).isEqualTo(arp);
  }
}
