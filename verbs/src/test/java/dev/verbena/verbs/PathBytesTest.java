package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The serialised form of paths. */
class PathBytesTest {
  private static final long SEED = 0x62797465;
  private static final int ONE_PATH = 8 + 71;

  private final IbPath path =
      IbPath.builder(Ports.infiniBand())
          .dgid(Gid.parse("fe80::1"))
          .sgid(Gid.parse("fe80::2"))
          .dlid(0x102)
          .slid(0x304)
          .sl(5)
          .pkey(0x8607)
          .hasGrh(true)
          .mtu(Mtu.MTU_4096)
          .rate(Rate.RATE_100)
          .hopLimit(9)
          .flowLabel(0xa0b0c)
          .trafficClass(0xd)
          .packetLifeTime(14)
          .respTime(15)
          .dackRespTime(16)
          .sackRespTime(17)
          .dqpn(0x181920)
          .sqpn(0x212223)
          .qkey(0x80010000)
          .dqpsn(0x242526)
          .sqpsn(0x272829)
          .drdatomic(0x30)
          .srdatomic(0x31)
          .retries(7)
          .minRnrTimer(12)
          .build();

  /** The format is stable: whoever changes it must give it another beginning. */
  @Test
  @Proves("PY-062")
  void theFormIsAsDocumented() {
    assertThat(HexFormat.of().formatHex(path.toBytes()))
        .isEqualTo(
            "56425031"
                + "00470000"
                + "fe800000000000000000000000000001"
                + "fe800000000000000000000000000002"
                + "01020304"
                + "05"
                + "8607"
                + "01"
                + "05"
                + "10"
                + "09"
                + "0a0b0c"
                + "0d"
                + "0e0f1011"
                + "181920212223"
                + "80010000"
                + "242526272829"
                + "3031070c");
  }

  @Test
  @Proves("PY-062")
  void whatWasWrittenIsReadWithoutItsEndPort() {
    IbPath read = IbPath.ofBytes(path.toBytes());
    assertThat(read.hasEndPort()).isFalse();
    assertThat(read.withEndPort(path.endPort())).isEqualTo(path);
  }

  @Test
  @Proves("PY-062")
  void everyPathSurvives() {
    Random random = new Random(SEED);
    for (int round = 0; round < 2000; round++) {
      IbPath any = RandomPaths.next(random, true);
      assertThat(IbPath.ofBytes(any.toBytes())).as("seed %d", SEED).isEqualTo(any);
      assertThat(any.toBytes().length).isLessThanOrEqualTo(IbPath.MAX_BYTES);
    }
  }

  @Test
  @Proves("PY-062")
  void theLargestHasBothWays() {
    IbPath.Builder builder = path.toBuilder().forwardPath(path).returnPath(path);
    assertThat(builder.build().toBytes()).hasSize(IbPath.MAX_BYTES);
  }

  @Test
  @Proves("PY-062")
  void noLengthButTheAnnouncedOneIsRead() {
    byte[] good = path.toBytes();
    assertThat(good).hasSize(ONE_PATH);
    for (int length = 0; length < good.length + 3; length++) {
      byte[] other = Arrays.copyOf(good, length);
      if (length != good.length) {
        assertEinval(other);
      }
    }
    assertEinval(changed(good, 5, 0x48));
    assertEinval(changed(good, 5, 0x46));
    assertEinval(changed(good, 4, 0xff));
  }

  @Test
  @Proves("PY-062")
  void whatIsNoPathIsRefused() {
    byte[] good = path.toBytes();
    assertEinval(changed(good, 3, '2'));
    assertEinval(changed(good, 7, 1));
    assertEinval(changed(good, 7, 4));
    assertEinval(changed(good, 6, 1));
    assertEinval(changed(good, 8 + 32 + 7, 2)); // has_grh
    assertEinval(changed(good, 8 + 32 + 8, 0)); // MTU
    assertEinval(changed(good, 8 + 32 + 8, 6));
    assertEinval(changed(good, 8 + 32 + 9, 1)); // rate
    assertEinval(changed(good, 8 + 32 + 11, 0x10)); // flow_label
  }

  @Test
  @Proves("PY-062")
  void damagedBytesAreAPathOrEinval() {
    Random random = new Random(SEED);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = RandomPaths.next(random, true).toBytes();
      for (int damage = random.nextInt(4); damage >= 0; damage--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        assertThat(IbPath.ofBytes(bytes).toBytes()).as("seed %d", SEED).isEqualTo(bytes);
      } catch (VerbsException e) {
        assertThat(e.errno()).as("seed %d: %s", SEED, e).isEqualTo(Errno.EINVAL);
      }
    }
  }

  @Test
  @Proves("PY-062")
  void javaSerializationIsNotOffered() {
    assertThat(Serializable.class.isAssignableFrom(IbPath.class)).isFalse();
  }

  private static byte[] changed(byte[] bytes, int at, int value) {
    byte[] other = bytes.clone();
    other[at] = (byte) value;
    return other;
  }

  private static void assertEinval(byte[] bytes) {
    assertThatThrownBy(() -> IbPath.ofBytes(bytes))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
  }
}
