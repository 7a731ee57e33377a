package dev.verbena.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class AtomicsTest {
  private static final int MESSAGES = 10;

  @ParameterizedTest
  @EnumSource(names = {"ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD"})
  void whatIsExpectedIsWhatMemoryDoes(Operation operation) {
    SeededPattern pattern =
        new SeededPattern(MemorySegment.ofArray(new byte[(int) SeededPattern.bytesFor(8)]), 11);
    Atomics atomics = new Atomics(pattern, new Round(operation, 8, MESSAGES, 40));
    long[] memory = new long[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
      memory[i] = atomics.initial(i);
    }

    for (int i = 0; i < MESSAGES; i++) {
      int target = atomics.target(i);
      assertThat(atomics.expectedOld(i)).isEqualTo(memory[target]);
      if (operation == Operation.ATOMIC_FETCH_AND_ADD) {
        memory[target] += atomics.add(i);
      } else if (memory[target] == atomics.compare(i)) {
        memory[target] = atomics.swap(i);
      }
    }

    for (int i = 0; i < MESSAGES; i++) {
      assertThat(atomics.expectedFinal(i)).isEqualTo(memory[i]);
    }
  }
}
