package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MulticastGroupTest {

  @ParameterizedTest
  @CsvSource({
    "::ffff:239.1.2.3, 239.1.2.3",
    "ff0e::ffff:239.1.2.3, 239.1.2.3",
    "ff0e::ffff:224.0.0.0, 224.0.0.0",
    "::ffff:239.255.255.255, 239.255.255.255",
    "ff0e::1, ff0e::1",
    "ff02::ffff:239.1.2.3, ff02::ffff:239.1.2.3",
    "ff0e::ffff:192.0.2.1, ff0e::ffff:192.0.2.1",
    "ff0e::ffff:240.0.0.1, ff0e::ffff:240.0.0.1",
    "ff0e:0:0:1:0:ffff:ef01:203, ff0e:0:0:1:0:ffff:ef01:203",
    "ff12:401b:ffff::1, ff12:401b:ffff::1",
    "::ffff:10.0.0.1, 10.0.0.1",
    "fe80::1, fe80::1",
  })
  @Proves("S8.7")
  void aMulticastGidStandsForAnIpGroup(String gid, String address) {
    assertThat(hi(gid, false)).isEqualTo(half(address, 0));
    assertThat(lo(gid, false)).isEqualTo(half(address, 8));
    if (!address.startsWith("ff")) {
      assertThat(hi(gid, true)).isEqualTo(half(address, 0));
      assertThat(lo(gid, true)).isEqualTo(half(address, 8));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ff01::2c9:8500:0:0, 239.117.99.206",
    "ff0e::1, 239.205.85.121",
    "ff12:401b:ffff::1, 239.173.110.187",
    "ff0e::ffff:192.0.2.1, 239.25.183.121",
  })
  @Proves("S8.1")
  void fromAnIpv4AddressAnIpv6GroupIsOneOfTheFreeIpv4Groups(String gid, String address) {
    assertThat(hi(gid, true)).isEqualTo(half(address, 0));
    assertThat(lo(gid, true)).isEqualTo(half(address, 8));
  }

  private static long hi(String gid, boolean ipv4) {
    return MulticastGroup.addressHi(half(gid, 0), half(gid, 8), ipv4);
  }

  private static long lo(String gid, boolean ipv4) {
    return MulticastGroup.addressLo(half(gid, 0), half(gid, 8), ipv4);
  }

  /** Half of an address, IPv4 in its mapped form. */
  private static long half(String text, int from) {
    InetAddress address = InetAddress.ofLiteral(text);
    if (address instanceof Inet6Address) {
      return ByteBuffer.wrap(address.getAddress()).getLong(from);
    }
    int ipv4 = ByteBuffer.wrap(address.getAddress()).getInt();
    return from == 0 ? 0 : RoceAddress.fromIpv4(ipv4);
  }
}
