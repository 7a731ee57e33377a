package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.device.Pair;
import dev.verbena.verbs.FaultSpec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@code bin/torture --simulate} runs and reports. */
class SchedulesTest {
  private static final int THREADS = 3;

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  private boolean run(long first, long count, LongFunction<@Nullable Throwable> run)
      throws InterruptedException {
    PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    return new Schedules(first, count, run, out).run(THREADS);
  }

  private String output() {
    return output.toString(StandardCharsets.UTF_8);
  }

  @Test
  void eachSeedRunsOnceAndAHeldRunReportsNothing() throws Exception {
    Set<Long> seeds = ConcurrentHashMap.newKeySet();
    assertThat(run(100, 50, seed -> seeds.add(seed) ? null : new AssertionError("again"))).isTrue();
    assertThat(seeds).isEqualTo(LongStream.range(100, 150).boxed().collect(Collectors.toSet()));
    assertThat(output()).isEmpty();
  }

  @Test
  void aFailureIsNamedWithTheCommandThatRepeatsIt() throws Exception {
    assertThat(run(7, 100, seed -> seed == 42 ? new AssertionError("a wrong byte") : null))
        .isFalse();
    assertThat(output())
        .contains("seed 42 failed", "bin/torture --simulate 1 --seed 42", "a wrong byte");
  }

  @Test
  void anErrorInASeedIsAFailureAndTheOtherSeedsRun() throws Exception {
    Set<Long> seeds = ConcurrentHashMap.newKeySet();
    boolean held =
        run(
            0,
            20,
            seed -> {
              seeds.add(seed);
              if (seed == 3) {
                throw new OutOfMemoryError("made up");
              }
              return null;
            });
    assertThat(held).isFalse();
    assertThat(seeds).hasSize(20);
    assertThat(output()).contains("seed 3 failed", "OutOfMemoryError");
  }

  @Test
  void whereBitsChangeTheAddressesAreOfIpv6BecauseOnlyItsChecksumIsExact() {
    FaultSpec damage = new FaultSpec(0, List.of(), 0, 0, 0, Duration.ZERO, 0.01, 1);
    try (Pair pair = Pair.open(1, damage, false)) {
      assertThat(pair.left().queryGid(1, 0).isIpv4Mapped()).isFalse();
      assertThat(pair.right().queryGid(1, 0).isIpv4Mapped()).isFalse();
    }
  }

  @Test
  void noSeedsHoldNothing() throws Exception {
    assertThat(run(0, 0, seed -> null)).isFalse();
  }
}
