package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class GrhTest {
  private static final long AT = 5;
  private static final long NET = 0xFD77L << 48;

  private final MemorySegment segment = Arena.ofAuto().allocate(64).fill((byte) 0xEE);

  @Test
  void overIpv4ItIsTwentyZerosAndTheHeaderRebuilt() {
    writeIpv4();
    // The header of a known packet (ID 0, DF, TTL 64), checksum included, but for TOS.
    assertThat(Hex.text(segment, AT, 40))
        .isEqualTo("00".repeat(20) + "4500003800004000401126b30a0000010a000002");
    assertThat(Hex.text(segment, AT - 1, 1) + Hex.text(segment, AT + 40, 1)).isEqualTo("eeee");
    assertThat(Grh.ipVersion(segment, AT)).isEqualTo(4);
    assertThat(Grh.sgidHi(segment, AT, 4)).isZero();
    assertThat(Grh.sgidLo(segment, AT, 4)).isEqualTo(RoceAddress.fromIpv4(0x0A000001));
    assertThat(Grh.dgidHi(segment, AT, 4)).isZero();
    assertThat(Grh.dgidLo(segment, AT, 4)).isEqualTo(RoceAddress.fromIpv4(0x0A000002));
    assertThat(Grh.hopLimit(segment, AT, 4)).isEqualTo(64);
    assertThat(Grh.nextHeader(segment, AT, 4)).isEqualTo(17);
    assertThat(Grh.flowLabel(segment, AT)).isZero();
  }

  @Test
  void overIpv4TrafficClassAndHopLimitAreThoseOfThePacket() {
    long src = RoceAddress.fromIpv4(0xFFFEFDFC);
    long dst = RoceAddress.fromIpv4(0xFBFAF9F8);
    Grh.write(segment, AT, 0, src, 0, dst, 0xB8, 0xFFFFF, 255, 65_000);
    assertThat(Grh.ipVersion(segment, AT)).isEqualTo(4);
    assertThat(Grh.trafficClass(segment, AT, 4)).isEqualTo(0xB8);
    assertThat(Grh.hopLimit(segment, AT, 4)).isEqualTo(255);
    // RFC 1071: the sum over the whole header, checksum included, is all ones.
    int sum = 0;
    for (int i = 20; i < 40; i += 2) {
      sum += segment.get(Layouts.SHORT, AT + i) & 0xFFFF;
    }
    assertThat((sum & 0xFFFF) + (sum >>> 16)).isEqualTo(0xFFFF);
  }

  @Test
  void overIpv6ItIsTheHeaderOfThePacket() {
    Grh.write(segment, AT, NET, 1, NET, 2, 0xA5, 0x12345, 7, 32);
    assertThat(Hex.text(segment, AT, 40))
        .isEqualTo(
            "6a512345"
                + "00281107"
                + "fd770000000000000000000000000001"
                + "fd770000000000000000000000000002");
    assertThat(Grh.ipVersion(segment, AT)).isEqualTo(6);
    assertThat(Grh.sgidHi(segment, AT, 6)).isEqualTo(NET);
    assertThat(Grh.sgidLo(segment, AT, 6)).isEqualTo(1);
    assertThat(Grh.dgidHi(segment, AT, 6)).isEqualTo(NET);
    assertThat(Grh.dgidLo(segment, AT, 6)).isEqualTo(2);
    assertThat(Grh.trafficClass(segment, AT, 6)).isEqualTo(0xA5);
    assertThat(Grh.hopLimit(segment, AT, 6)).isEqualTo(7);
    assertThat(Grh.nextHeader(segment, AT, 6)).isEqualTo(17);
    assertThat(Grh.flowLabel(segment, AT)).isEqualTo(0x12345);
  }

  @Test
  @Proves("S3.3.4")
  void theVersionIsDecidedByFirstNibbleThenChecksum() {
    writeIpv4();
    segment.set(ValueLayout.JAVA_BYTE, AT + 20, (byte) 0x35);
    assertThat(Grh.ipVersion(segment, AT)).as("neither 6 nor 4").isEqualTo(Grh.NO_IP);

    // Whatever stands in the 20 bytes before, a valid IPv4 header wins over a leading 6.
    writeIpv4();
    segment.set(ValueLayout.JAVA_BYTE, AT, (byte) 0x60);
    assertThat(Grh.ipVersion(segment, AT)).as("valid checksum").isEqualTo(4);
    segment.set(ValueLayout.JAVA_BYTE, AT + 39, (byte) 3);
    assertThat(Grh.ipVersion(segment, AT)).as("wrong checksum").isEqualTo(6);

    writeIpv4();
    segment.set(ValueLayout.JAVA_BYTE, AT, (byte) 0x60);
    segment.set(ValueLayout.JAVA_BYTE, AT + 20, (byte) 0x46);
    assertThat(Grh.ipVersion(segment, AT)).as("options").isEqualTo(6);
    segment.set(ValueLayout.JAVA_BYTE, AT, (byte) 0x00);
    assertThat(Grh.ipVersion(segment, AT)).as("options without leading 6").isEqualTo(4);
  }

  private void writeIpv4() {
    long src = RoceAddress.fromIpv4(0x0A000001);
    Grh.write(segment, AT, 0, src, 0, RoceAddress.fromIpv4(0x0A000002), 0, 0, 64, 28);
  }
}
