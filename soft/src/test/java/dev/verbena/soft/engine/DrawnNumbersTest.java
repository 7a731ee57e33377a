package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Randomness;
import dev.verbena.soft.engine.qp.QpTable;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.Region;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/**
 * A million numbers and keys of the tables of a device, filled from a random source like its own,
 * while others come and go: none can be predicted from earlier ones. There is no seed to repeat
 * this; {@link Randomness} says how rarely chance makes it fail.
 */
class DrawnNumbersTest {
  private static final int DRAWS = 1_000_000;

  /** How many are in use at a time. */
  private static final int IN_USE = 1000;

  private final SecureRandom random = new SecureRandom();

  private static void assertRandom(String name, int[] values, int bits) {
    new Randomness(name, values, bits).followsNoRule(1, 2, IN_USE);
  }

  @Test
  void numbersInARowAreNoticed() {
    int[] rising = new int[DRAWS];
    Arrays.setAll(rising, i -> (random.nextInt(1 << 24) & ~0xff) | (i & 0xff));
    assertThatThrownBy(() -> assertRandom("a counter in the lowest byte", rising, 24))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aMillionQueuePairNumbersFollowNoRule() {
    QpTable<Object> table = new QpTable<>(random);
    Queue<Integer> inUse = new ArrayDeque<>();
    int[] numbers = new int[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      int number = table.draw();
      table.put(number, this);
      numbers[i] = number;
      inUse.add(number);
      if (inUse.size() > IN_USE) {
        table.remove(inUse.remove());
      }
    }
    assertRandom("queue pair numbers", numbers, 24);
  }

  @Test
  void aMillionKeysFollowNoRule() {
    KeyTable keys = new KeyTable(random::nextInt);
    Domain domain = new Domain();
    MemorySegment memory = MemorySegment.ofArray(new byte[1]);
    Queue<Region> inUse = new ArrayDeque<>();
    int[] rkeys = new int[DRAWS];
    int[] lkeys = new int[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      Region region = Objects.requireNonNull(keys.register(memory, 0, 0, domain));
      rkeys[i] = region.rkey();
      lkeys[i] = region.lkey();
      inUse.add(region);
      if (inUse.size() > IN_USE) {
        keys.remove(inUse.remove());
      }
    }
    assertRandom("rkeys", rkeys, 32);
    assertRandom("lkeys", lkeys, 32);
    int[] differences = new int[DRAWS];
    Arrays.setAll(differences, i -> rkeys[i] ^ lkeys[i]);
    new Randomness("rkey against lkey, which share a slot", differences, 13).bitsAreFair();
    assertThat(Arrays.stream(differences).anyMatch(difference -> difference == 0)).isFalse();
  }
}
