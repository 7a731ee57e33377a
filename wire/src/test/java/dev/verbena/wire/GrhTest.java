package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
  }

  @Test
  void overIpv4TrafficClassAndHopLimitAreThoseOfThePacket() {
    Address src = Address.ofIpv4(0xFFFEFDFC);
    Address dst = Address.ofIpv4(0xFBFAF9F8);
    Grh.write(segment, AT, src, dst, 0xB8, 0xFFFFF, 255, 65_000);
    assertThat(Hex.text(segment, AT + 20, 2) + Hex.text(segment, AT + 28, 1)).isEqualTo("45b8ff");
    // RFC 1071: the sum over the whole header, checksum included, is all ones.
    int sum = 0;
    for (int i = 20; i < 40; i += 2) {
      sum += segment.get(Layouts.SHORT, AT + i) & 0xFFFF;
    }
    assertThat((sum & 0xFFFF) + (sum >>> 16)).isEqualTo(0xFFFF);
  }

  @Test
  void overIpv6ItIsTheHeaderOfThePacket() {
    Grh.write(segment, AT, new Address(NET, 1), new Address(NET, 2), 0xA5, 0x12345, 7, 32);
    assertThat(Hex.text(segment, AT, 40))
        .isEqualTo(
            "6a512345"
                + "00281107"
                + "fd770000000000000000000000000001"
                + "fd770000000000000000000000000002");
  }

  private void writeIpv4() {
    Address src = Address.ofIpv4(0x0A000001);
    Grh.write(segment, AT, src, Address.ofIpv4(0x0A000002), 0, 0, 64, 28);
  }
}
