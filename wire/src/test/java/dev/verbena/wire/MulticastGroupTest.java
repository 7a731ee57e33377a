package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
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
    assertThat(MulticastGroup.of(parse(gid), false)).isEqualTo(parse(address));
    if (!address.startsWith("ff")) {
      assertThat(MulticastGroup.of(parse(gid), true)).isEqualTo(parse(address));
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
    assertThat(MulticastGroup.of(parse(gid), true)).isEqualTo(parse(address));
  }

  private static Address parse(String text) {
    ByteBuffer bytes = ByteBuffer.wrap(InetAddress.ofLiteral(text).getAddress());
    return bytes.remaining() == Integer.BYTES
        ? Address.ofIpv4(bytes.getInt())
        : new Address(bytes.getLong(), bytes.getLong());
  }
}
