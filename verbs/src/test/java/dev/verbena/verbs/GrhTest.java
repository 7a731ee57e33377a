package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests reading the area in front of a datagram. */
class GrhTest {
  /** TTL 64, TOS 0, UDP, from 10.0.0.1 to 10.0.0.2, with a valid checksum. */
  private static final String IPV4 = "4500003800004000401126b30a0000010a000002";

  private static final String IPV6 =
      "6a512345"
          + "00281107"
          + "fd770000000000000000000000000001"
          + "fd770000000000000000000000000002";

  private static final Gid LEFT = Gid.parse("10.0.0.1");
  private static final Gid RIGHT = Gid.parse("10.0.0.2");

  @Test
  @Proves("S3.3.4")
  void overIpv4TheHeaderIsInTheLastTwentyBytes() {
    assertThat(read("00".repeat(20) + IPV4)).isEqualTo(new Grh(LEFT, RIGHT, 0, 0, 64, 17));
    assertThat(read("00".repeat(20) + "45b80038000040000701" + IPV4.substring(20)))
        .isEqualTo(new Grh(LEFT, RIGHT, 0xb8, 0, 7, 1));
  }

  @Test
  @Proves("S3.3.4")
  void overIpv6TheAreaIsTheHeader() {
    assertThat(read(IPV6))
        .isEqualTo(new Grh(Gid.parse("fd77::1"), Gid.parse("fd77::2"), 0xa5, 0x12345, 7, 17));
  }

  @Test
  @Proves("S3.3.4")
  void theVersionIsDecidedByFirstNibbleThenChecksum() {
    assertThatThrownBy(() -> read("00".repeat(20) + "3" + IPV4.substring(1)))
        .hasMessageContaining("EPROTONOSUPPORT");

    // Whatever the 20 bytes before are, a valid IPv4 header wins over a leading 6.
    String before = "60" + "00".repeat(19);
    assertThat(read(before + IPV4).sgid()).isEqualTo(LEFT);
    String wrongChecksum = IPV4.substring(0, 38) + "03";
    assertThat(read(before + wrongChecksum).sgid().isIpv4Mapped()).isFalse();
    String options = "46" + IPV4.substring(2);
    assertThat(read(before + options).sgid().isIpv4Mapped()).isFalse();
    assertThat(read("00".repeat(20) + options).sgid()).isEqualTo(LEFT);
  }

  @Test
  void theAreaMayBeTheStartOfAReceiveAndMustNotBeShorter() {
    assertThat(read(IPV6 + "abcdef").hopLimit()).isEqualTo(7);
    assertThatThrownBy(() -> read(IPV6.substring(2)))
        .hasMessage("grh: 39 bytes, a GRH area has 40 (EINVAL: Invalid argument)");
  }

  @Test
  void anyBytesAreReadOrRefused() {
    Random random = new Random(1);
    byte[] area = new byte[Grh.LENGTH];
    for (int i = 0; i < 10_000; i++) {
      random.nextBytes(area);
      if (random.nextBoolean()) {
        area[0] = 0x60;
        area[20] = 0x45;
      }
      try {
        assertThat(Grh.of(MemorySegment.ofArray(area)).flowLabel()).isBetween(0, 0xfffff);
      } catch (VerbsException e) {
        assertThat(e.errno()).isEqualTo(Errno.EPROTONOSUPPORT);
      }
    }
  }

  private static Grh read(String hex) {
    return Grh.of(MemorySegment.ofArray(HexFormat.of().parseHex(hex)));
  }
}
