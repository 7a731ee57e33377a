package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text, bytes and numbers of GUIDs, and of the GIDs that they are a part of. */
class GuidTest {
  private static final long SEED = 0x67756964;

  @ParameterizedTest
  @CsvSource({
    "0002:c903:0000:1491, 0002c90300001491",
    "2:C903:0:1491, 0002c90300001491",
    "0x0002c90300001491, 0002c90300001491",
    "0X2c90300001491, 0002c90300001491",
    "ffff:ffff:ffff:ffff, ffffffffffffffff",
    "0:0:0:0, 0000000000000000"
  })
  @Proves("PY-184")
  void aGuidIsFourGroupsOrANumber(String text, String raw) {
    Guid guid = Guid.parse(text);
    assertThat(HexFormat.of().formatHex(guid.toBytes())).isEqualTo(raw);
    assertThat(guid.value()).isEqualTo(Long.parseUnsignedLong(raw, 16));
    assertThat(guid).isEqualTo(Guid.ofBytes(guid.toBytes())).isEqualTo(new Guid(guid.value()));
    assertThat(guid.toString().replace(":", "")).isEqualTo(raw);
  }

  @Test
  @Proves("PY-184")
  void textIsFourGroupsOfFourDigits() {
    assertThat(new Guid(0x2c90300001491L)).hasToString("0002:c903:0000:1491");
    assertThat(Guid.ZERO).hasToString("0000:0000:0000:0000");
    assertThat(Guid.ZERO.isZero()).isTrue();
    assertThat(new Guid(1).isZero()).isFalse();
    assertThat(new Guid(1)).isNotEqualTo(new Guid(2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1", "0:0:0", "0:0:0:0:0", "00000:0:0:0", "g:0:0:0", "::", "0x", "0:0:0:0 "})
  @Proves("PY-184")
  void anythingElseIsEinval(String text) {
    assertThatThrownBy(() -> Guid.parse(text))
        .isInstanceOf(VerbsException.class)
        .hasMessageStartingWith("guid: '" + text + "' is not a GUID")
        .hasMessageEndingWith("(EINVAL: Invalid argument)");
  }

  @Test
  void anotherLengthThan8BytesIsEinval() {
    assertThatThrownBy(() -> Guid.ofBytes(new byte[9]))
        .hasMessage("guid: a GUID has 8 bytes, not 9 (EINVAL: Invalid argument)");
  }

  @Test
  @Proves("PY-184")
  void aGidHasAPrefixAndAGuidAndIsANumber() {
    Gid gid = Gid.parse("fe80::2:c903:0:1491");
    assertThat(gid.subnetPrefix()).isEqualTo(Iba.DEFAULT_GID_PREFIX);
    assertThat(gid.guid()).isEqualTo(Guid.parse("0002:c903:0000:1491"));
    assertThat(new Gid(gid.subnetPrefix(), gid.guid().value())).isEqualTo(gid);
    assertThat(gid.toBigInteger())
        .isEqualTo(new BigInteger("fe800000000000000002c90300001491", 16));
    assertThat(Gid.ofBytes(gid.toBytes())).isEqualTo(gid).hasToString("fe80::2:c903:0:1491");
  }

  @Test
  void randomGuidsSurviveEveryForm() {
    Random random = new Random(SEED);
    for (int round = 0; round < 1000; round++) {
      Guid guid = new Guid(random.nextLong());
      assertThat(Guid.parse(guid.toString())).as("%s, seed %d", guid, SEED).isEqualTo(guid);
      assertThat(Guid.ofBytes(guid.toBytes())).isEqualTo(guid);
    }
  }

  @Test
  void parseOfAnyTextReturnsOrIsEinval() {
    TextFuzz.run(
        SEED,
        "0123456789abcdefABCDEFxX:: g",
        text -> assertThat(Guid.parse(Guid.parse(text).toString())).isEqualTo(Guid.parse(text)));
  }
}
