package dev.verbena.tck.torture.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@link Usage}: tells growth from coming and going. */
final class UsageTest {
  private static final int SAMPLES = 2 * Usage.FEWEST;

  private final Usage usage = new Usage();

  @Test
  void whatIsUsedAfterTheWarmUpAndGivenBackIsNoGrowth() {
    for (int i = 0; i < SAMPLES; i++) {
      boolean warm = i > SAMPLES / 4;
      usage.add(
          new Usage.Sample(
              warm ? 200_000 + i : 50_000,
              warm ? 9_000 + i % 50 : 1,
              warm ? 20 + i % 7 : 1,
              warm ? 9 : 1));
    }
    assertThat(usage.growth()).isEmpty();
  }

  @Test
  void memoryThatIsNeverGivenBackIsGrowth() {
    for (int i = 0; i < SAMPLES; i++) {
      usage.add(new Usage.Sample(200_000L + 1000L * i, 9_000, 20, 9));
    }
    assertThat(usage.growth()).startsWith("kilobytes grow").doesNotContain("descriptors", "heap");
  }

  @Test
  void objectsThatAreNeverGivenBackAreGrowth() {
    for (int i = 0; i < SAMPLES; i++) {
      usage.add(new Usage.Sample(200_000, 9_000L + 100L * i, 20, 9));
    }
    assertThat(usage.growth()).startsWith("kilobytes of heap grow").doesNotContain("descriptors");
  }

  @Test
  void oneDescriptorAndOneThreadThatStayAreGrowth() {
    for (int i = 0; i < SAMPLES; i++) {
      int leaked = i > SAMPLES / 2 ? 1 : 0;
      usage.add(new Usage.Sample(200_000, 9_000, 20 + leaked, 9 + leaked));
    }
    assertThat(usage.growth()).contains("descriptors grow", "threads grow");
  }

  @Test
  void aFewSamplesTellNothing() {
    for (int i = 0; i < Usage.FEWEST - 1; i++) {
      usage.add(new Usage.Sample(1000L * i, i, i, i));
    }
    assertThat(usage.growth()).isEmpty();
    assertThat(usage.toString()).endsWith(", too short to judge growth");
    usage.add(new Usage.Sample(1, 1, 1, 1));
    assertThat(usage.toString()).doesNotContain("judge");
  }

  @Test
  void aProcessIsLookedAt() throws Exception {
    usage.look(ProcessHandle.current().pid(), 9 << 10);
    assertThat(usage.toString())
        .matches("[1-9].* MB, 9 to 9 MB of heap, [1-9].* descriptors, .* to [1-9].* threads.*");
  }
}
