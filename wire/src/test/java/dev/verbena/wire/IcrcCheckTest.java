package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IcrcCheckTest {
  private static final Address SRC = Address.ofIpv4(0x0A4D0001);
  private static final Address DST = Address.ofIpv4(0x0A4D0002);

  private final Icrc receiver = addressed(new Icrc());
  private final Icrc sender = addressed(new Icrc());

  @ParameterizedTest
  @ValueSource(ints = {16, 20, 280, 1044, 4112, IcrcCheck.MAX_LENGTH})
  void everyIdWithAndWithoutDontFragmentIsAcceptedAndHasAnIcrcOfItsOwn(int length) {
    MemorySegment packet = random(new Random(length), length);
    int[] icrcs = new int[1 << 17];
    for (int idAndFlag = 0; idAndFlag < icrcs.length; idAndFlag++) {
      sender.identification(idAndFlag >> 1, (idAndFlag & 1) == 0);
      sender.seal(packet, 0, length);
      icrcs[idAndFlag] = Icrc.read(packet, length - 4L);
      if (!IcrcCheck.accepts(receiver, packet, 0, length)) {
        throw new AssertionError("refused ID " + (idAndFlag >> 1) + ", length " + length);
      }
    }
    assertThat(Arrays.stream(icrcs).distinct().count()).isEqualTo(1 << 17);
  }

  @Test
  void everyLengthHasItsOwnRewinding() {
    Random random = new Random(4);
    for (int length = RocePacket.MIN_LENGTH; length <= IcrcCheck.MAX_LENGTH; length += 4) {
      MemorySegment packet = random(random, length);
      sender.identification(random.nextInt(0x10000), random.nextBoolean());
      sender.seal(packet, 0, length);
      assertThat(IcrcCheck.accepts(receiver, packet, 0, length)).as("length %d", length).isTrue();
    }
  }

  @Test
  void aRandomDifferenceIsAcceptedWithProbabilityTwoToTheMinusFifteen() {
    long seed = 0x2_15L;
    Random random = new Random(seed);
    int rounds = 1 << 23;
    int accepted = 0;
    for (int round = 0; round < rounds; round++) {
      int length = RocePacket.MIN_LENGTH + 4 * random.nextInt(1051);
      if (IcrcCheck.isExplainedById(random.nextInt(), length)) {
        accepted++;
      }
    }
    // Binomial: 256 expected, standard deviation 16.
    assertThat(accepted).as("false accepts, seed %x", seed).isBetween(256 - 96, 256 + 96);
  }

  @Test
  void damagedPacketsAreRefused() {
    long seed = 0xDA_4A6EDL;
    Random random = new Random(seed);
    int accepted = 0;
    for (int round = 0; round < 200_000; round++) {
      int length = RocePacket.MIN_LENGTH + 4 * random.nextInt(100);
      MemorySegment packet = random(random, length);
      sender.identification(random.nextInt(0x10000), true);
      sender.seal(packet, 0, length);
      int at = random.nextInt(length - 4);
      int old = packet.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      packet.set(ValueLayout.JAVA_INT_UNALIGNED, at, old ^ (random.nextInt() | 1 << 31 | 1));
      if (IcrcCheck.accepts(receiver, packet, 0, length)) {
        accepted++;
      }
    }
    // 6.1 expected.
    assertThat(accepted).as("false accepts, seed %x", seed).isLessThan(25);
  }

  @Test
  void lengthsThatNoPacketHasAreNotExplained() {
    assertThat(IcrcCheck.isExplainedById(0, 12)).isFalse();
    assertThat(IcrcCheck.isExplainedById(0, 18)).isFalse();
    assertThat(IcrcCheck.isExplainedById(0, IcrcCheck.MAX_LENGTH + 4)).isFalse();
    assertThat(IcrcCheck.isExplainedById(0, Integer.MAX_VALUE)).isFalse();
  }

  @Test
  void ipv6IsCheckedExactly() {
    Icrc icrc = new Icrc();
    icrc.addresses(new Address(0xFD77L << 48, 1), new Address(0xFD77L << 48, 2), 4791, 4791);
    MemorySegment packet = random(new Random(6), 64);
    icrc.seal(packet, 0, 64);
    assertThat(IcrcCheck.accepts(icrc, packet, 0, 64)).isTrue();
    int good = Icrc.read(packet, 60);
    Random random = new Random(66);
    for (int i = 0; i < 1 << 18; i++) {
      Icrc.write(packet, 60, good ^ (random.nextInt() | 1));
      if (IcrcCheck.accepts(icrc, packet, 0, 64)) {
        throw new AssertionError("accepted a wrong ICRC over IPv6");
      }
    }
  }

  private static MemorySegment random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return Hex.segment(bytes);
  }

  private static Icrc addressed(Icrc icrc) {
    icrc.addresses(SRC, DST, RocePorts.UDP_PORT, RocePorts.UDP_PORT);
    return icrc;
  }
}
