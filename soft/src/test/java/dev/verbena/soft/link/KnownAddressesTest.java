package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Address;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class KnownAddressesTest {
  private final KnownAddresses known = new KnownAddresses();

  private Address ofIpv4(int address) {
    return known.of(0, Address.ofIpv4(address).lo());
  }

  @Test
  void anAddressThatWasMetIsTheSameObjectAgain() {
    Address first = known.of(0xfd00L << 48, 1);
    Address second = ofIpv4(0x0a000001);
    assertThat(first).isEqualTo(new Address(0xfd00L << 48, 1));
    assertThat(second).isEqualTo(Address.ofIpv4(0x0a000001));
    assertThat(known.of(0xfd00L << 48, 1)).isSameAs(first);
    assertThat(ofIpv4(0x0a000001)).isSameAs(second);
  }

  @Test
  void thoseOfASubnetAreAllKeptAtATime() {
    Address[] met = new Address[200];
    for (int host = 0; host < met.length; host++) {
      met[host] = ofIpv4(0x0a000001 + host);
    }
    for (int host = 0; host < met.length; host++) {
      assertThat(ofIpv4(0x0a000001 + host)).as("host %d", host).isSameAs(met[host]);
    }
  }

  @Test
  void whoeverSendsFromEverywhereIsNotTakenForAnother() {
    RandomGenerator random = new Random(11);
    for (int i = 0; i < 100_000; i++) {
      long hi = random.nextLong(4);
      long lo = random.nextLong(10_000);
      assertThat(known.of(hi, lo)).isEqualTo(new Address(hi, lo));
    }
  }
}
