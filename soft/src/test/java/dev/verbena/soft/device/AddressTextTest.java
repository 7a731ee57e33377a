package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.Address;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Compares the IPv6 formatters of wire and verbs, which are independent of each other. */
class AddressTextTest {
  private static final int GROUPS = 8;

  @Test
  void logsAndUsersSeeTheSameTextWhateverGroupsAreZero() {
    for (int zeros = 0; zeros < 1 << GROUPS; zeros++) {
      ByteBuffer address = ByteBuffer.allocate(16);
      for (int i = 0; i < GROUPS; i++) {
        address.putShort((short) ((zeros >> i & 1) == 0 ? 0xfd00 >>> i : 0));
      }
      long hi = address.getLong(0);
      long lo = address.getLong(8);
      boolean isIpv4Compatible = hi == 0 && lo >>> 32 == 0 && lo >>> 16 != 0;
      if (isIpv4Compatible) {
        // Like inet_ntop, a GID ends with dots there; such addresses are obsolete.
        continue;
      }
      assertThat(new Address(hi, lo)).hasToString(Gid.ofBytes(address.array()).toString());
    }
  }
}
