package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class GidsTest {
  @Test
  void aGidAndItsAddressAreTheSameBytesAndReadTheSame() {
    RandomGenerator random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      // Groups of zeros in all places: that is where texts of IPv6 differ.
      Gid gid = new Gid(0x2000L << 48 | sparse(random), sparse(random));
      assertThat(Gids.gid(Gids.address(gid))).isEqualTo(gid);
      assertThat(Gids.address(gid)).hasToString(gid.toString());
    }
  }

  @Test
  void anIpv4AddressIsReadWithoutItsPrefix() {
    assertThat(Gids.address(Gid.parse("10.0.0.2"))).hasToString("10.0.0.2");
  }

  private static long sparse(RandomGenerator random) {
    long value = 0;
    for (int group = 0; group < 4; group++) {
      value = value << 16 | (random.nextBoolean() ? 0 : random.nextInt(1 << 16));
    }
    return value;
  }
}
