package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text, bytes and kinds of GIDs. */
class GidTest {
  private static final long SEED = 0x67696473;

  /** Each text is the output of glibc's inet_ntop for the address on its left. */
  @ParameterizedTest
  @CsvSource({
    "00000000000000000000000000000000, ::",
    "00000000000000000000000000000001, ::1",
    "0000000000000000000000000000ffff, ::ffff",
    "00000000000000000000000000010000, ::0.1.0.0",
    "0000000000000000000000000a000001, ::10.0.0.1",
    "00000000000000000000000100000000, ::1:0:0",
    "00000000000000000000ffff0a4d0001, ::ffff:10.77.0.1",
    "00000000000000000000ffff00000000, ::ffff:0.0.0.0",
    "00000000000000000000ffffffffffff, ::ffff:255.255.255.255",
    "0000000000000000ffff00000a4d0001, ::ffff:0:a4d:1",
    "fe800000000000000200c0fffe000001, fe80::200:c0ff:fe00:1",
    "20010db8000000000000000000000001, 2001:db8::1",
    "20010db8000000010001000100010001, 2001:db8:0:1:1:1:1:1",
    "20010000000000010000000000000001, 2001:0:0:1::1",
    "20010db8000000000001000000000001, 2001:db8::1:0:0:1",
    "00010000000000000000000000000000, 1::",
    "00000001000200030004000500060007, 0:1:2:3:4:5:6:7",
    "00000000000200030004000500060007, ::2:3:4:5:6:7",
    "00010002000300040005000600070000, 1:2:3:4:5:6:7:0",
    "ff020000000000000000000000000001, ff02::1",
    "ABCDEF0123456789abcdef0123456789, abcd:ef01:2345:6789:abcd:ef01:2345:6789"
  })
  void textIsThatOfInetNtop(String hex, String text) {
    Gid gid = Gid.parse(hex);
    assertThat(gid.toString()).isEqualTo(text);
    assertThat(Gid.parse(text)).isEqualTo(gid);
    assertThat(gid.toWireHex()).isEqualToIgnoringCase(hex);
    assertThat(gid.toBytes()).isEqualTo(HexFormat.of().parseHex(hex));
    assertThat(Gid.ofBytes(gid.toBytes())).isEqualTo(gid);
  }

  @Test
  void randomGidsSurviveEveryTextForm() {
    Random random = new Random(SEED);
    for (int round = 0; round < 20_000; round++) {
      byte[] raw = new byte[16];
      random.nextBytes(raw);
      int zeros = random.nextInt(0x10000);
      for (int group = 0; group < 16; group++) {
        raw[group] = (zeros & 1 << group) != 0 ? 0 : raw[group];
      }
      Gid gid = Gid.ofBytes(raw);
      assertThat(Gid.parse(gid.toString())).as("%s, seed %d", gid, SEED).isEqualTo(gid);
      assertThat(Gid.parse(gid.toWireHex())).isEqualTo(gid);
      assertThat(Gid.of(gid.toInetAddress())).isEqualTo(gid);
      assertThat(gid.toBytes()).isEqualTo(raw);
    }
  }

  @Test
  void subnetPrefixAndInterfaceIdAreReadBigEndian() {
    Gid gid = Gid.parse("fe80::200:c0ff:fe00:1");
    assertThat(gid.subnetPrefix()).isEqualTo(0xfe80000000000000L);
    assertThat(gid.interfaceId()).isEqualTo(0x0200c0fffe000001L);
  }

  @Test
  void ipv4IsMapped() throws Exception {
    Gid gid = Gid.parse("10.77.0.1");
    assertThat(gid).isEqualTo(Gid.of(InetAddress.getByAddress(new byte[] {10, 77, 0, 1})));
    assertThat(gid.isIpv4Mapped()).isTrue();
    assertThat(gid.toInetAddress()).isInstanceOf(Inet4Address.class);
    assertThat(gid.toInetAddress().getHostAddress()).isEqualTo("10.77.0.1");
    assertThat(gid.toAddressText()).isEqualTo("10.77.0.1");
    assertThat(Gid.parse("fd00::7").toAddressText()).isEqualTo("fd00::7");
    assertThat(Gid.parse("::1").isIpv4Mapped()).isFalse();
    assertThat(Gid.parse("::1").toInetAddress()).isInstanceOf(Inet6Address.class);
  }

  @Test
  void onlyTheGidOfNothingIsZero() {
    assertThat(Gid.ZERO.isZero()).isTrue();
    assertThat(new Gid(0, 1).isZero()).isFalse();
    assertThat(new Gid(1, 0).isZero()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "ff02::1, true",
    "ff0e:0:0:0:0:ffff:e000:1, true",
    "224.0.0.1, true",
    "239.255.255.255, true",
    "223.255.255.255, false",
    "240.0.0.0, false",
    "::224.0.0.1, false",
    "fe80::1, false",
    "::, false"
  })
  void multicastIsFf00OrMapped224(String text, boolean multicast) {
    assertThat(Gid.parse(text).isMulticast()).isEqualTo(multicast);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "localhost",
        "10.1",
        "5",
        "256.1.1.1",
        "1.2.3.4.5",
        "[::1]",
        "fe80::1%1",
        "fe80::1%lo",
        ":::",
        "1:2:3:4:5:6:7:8:9",
        "::g",
        "0x10",
        "0000000000000000000000000000000g",
        "000000000000000000000000000000000"
      })
  void whatIsNoAddressIsEinval(String text) {
    assertThatThrownBy(() -> Gid.parse(text))
        .isInstanceOf(VerbsException.class)
        .hasMessage("gid: '" + text + "' is not an IP address (EINVAL: Invalid argument)");
  }

  @Test
  void anotherLengthThan16BytesIsEinval() {
    assertThatThrownBy(() -> Gid.ofBytes(new byte[4]))
        .hasMessage("gid: a GID has 16 bytes, not 4 (EINVAL: Invalid argument)");
  }

  @Test
  void parseOfAnyTextReturnsOrIsEinval() {
    TextFuzz.run(
        SEED,
        "0123456789abcdefABCDEF::..%[]xg ",
        text -> assertThat(Gid.parse(Gid.parse(text).toString())).isEqualTo(Gid.parse(text)));
  }
}
