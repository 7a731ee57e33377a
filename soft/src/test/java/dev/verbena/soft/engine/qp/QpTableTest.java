package dev.verbena.soft.engine.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.verbena.proofs.Proves;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class QpTableTest {
  private static final long SEED = 4711;

  private final QpTable<String> table = new QpTable<>(new SplittableRandom(SEED));

  private int add(String name) {
    int number = table.draw();
    table.put(number, name);
    return number;
  }

  @Test
  void findsWhatWasPutUntilItIsRemoved() {
    int a = add("a");
    int b = add("b");
    assertThat(table.find(a)).isEqualTo("a");
    assertThat(table.find(b)).isEqualTo("b");
    table.remove(a);
    table.remove(a);
    assertThat(table.find(a)).isNull();
    List<String> rest = new ArrayList<>();
    table.forEach(rest::add);
    assertThat(rest).containsExactly("b");
  }

  @Test
  void aTableThatWasFullAndEmptyIsUsedAgain() {
    for (int round = 0; round < 3; round++) {
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        numbers.add(add("x" + i));
      }
      List<String> all = new ArrayList<>();
      table.forEach(all::add);
      assertThat(all).hasSize(5_000).doesNotHaveDuplicates();
      assertThat(table.find(numbers.getLast())).isEqualTo("x4999");
      numbers.forEach(table::remove);
      table.forEach(each -> fail(each + " is still there"));
    }
  }

  @Test
  void aNumberOfWhichOnlyTheSlotFitsFindsNothing() {
    int number = add("a");
    for (int salt = 1; salt < 256; salt++) {
      assertThat(table.find(number ^ (salt << 16))).isNull();
    }
  }

  @Test
  void numbersHave24BitsAndAreUniqueAndNotInSequence() {
    Set<Integer> numbers = new HashSet<>();
    int neighbours = 0;
    int last = -2;
    for (int i = 0; i < QpTable.CAPACITY; i++) {
      int number = add("x");
      assertThat(number).isBetween(2, 0xFFFFFE);
      assertThat(numbers.add(number)).as("number %x twice", number).isTrue();
      neighbours += Math.abs(number - last) <= 1 ? 1 : 0;
      last = number;
    }
    assertThat(neighbours).isLessThan(10);
    assertThat(table.draw()).as("beyond the capacity").isEqualTo(-1);
  }

  @Test
  @Proves("S1.7.12")
  void reservedNumbersAreDrawnAgain() {
    int[] draws = {0, 1, 0xFF00FFFF, 0x12003456};
    RandomGenerator crafted =
        new RandomGenerator() {
          private int next;

          @Override
          public long nextLong() {
            throw new AssertionError("the table draws ints");
          }

          @Override
          public int nextInt() {
            return draws[next++];
          }
        };
    assertThat(new QpTable<String>(crafted).draw()).isEqualTo(0x123456);
  }

  @Test
  void aNumberIsNotUsedAgainSoon() {
    Deque<Integer> recent = new ArrayDeque<>();
    for (int i = 0; i < 10_000; i++) {
      int number = add("x");
      assertThat(recent.stream().map(n -> n & 0xFFFF))
          .as("seed %d", SEED)
          .doesNotContain(number & 0xFFFF);
      table.remove(number);
      recent.add(number);
      if (recent.size() > 256) {
        recent.remove();
      }
    }
  }
}
