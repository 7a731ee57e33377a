package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arithmetic on keys. */
class KeysTest {
  @ParameterizedTest
  @Proves("S0.13")
  @ValueSource(ints = {0x12345600, 0, 0xffffff00, 0x7fffff00, 0x80000000})
  void incRkeyChangesOnlyTheLowByteWhichWraps(int index) {
    int rkey = index;
    for (int tag = 1; tag <= 0xff; tag++) {
      rkey = Keys.incRkey(rkey);
      assertThat(rkey).isEqualTo(index | tag);
    }
    assertThat(Keys.incRkey(rkey)).isEqualTo(index);
  }
}
