package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.fuzz.Insider;
import dev.verbena.soft.fuzz.Meter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What only {@link Fuzzer} judges, because no test can on a busy computer: time, and growth. */
class FuzzerTest {
  private static final String LOGGING = "java.util.logging.config.file";

  /** An insider under a limit that loading classes does not reach. */
  public static final class TimedRun implements LongFunction<@Nullable Throwable> {
    private static final int PACKETS = 10_000;

    /** One for any number of seeds. */
    public TimedRun() {}

    @Override
    public @Nullable Throwable apply(long seed) {
      try (Insider insider = new Insider(seed, Meter.ofMemoryAndTime(Burden.LONG))) {
        insider.run(PACKETS);
        return null;
      } catch (RuntimeException | AssertionError e) {
        return e;
      }
    }
  }

  /**
   * Prints what {@link GrowthRun} finds, first of the device as it is, and then of one that keeps
   * something of each packet.
   */
  public static void main(String[] arguments) {
    System.out.println(new GrowthRun().apply(1));
    System.out.println(mistaken("datagram", "hoard").newRun(GrowthRun.class).apply(1));
  }

  private static MistakenClasses mistaken(String method, String burden) {
    return new MistakenClasses(new Mutation("engine.Inbound", method, Bodies.burdened(burden)));
  }

  @Test
  void aPacketThatTakesLongIsNoticed() {
    LongFunction<@Nullable Throwable> run =
        mistaken("dispatchNotification", "dawdle").newRun(TimedRun.class);
    assertThat(run.apply(1))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("a step has taken [0-9]+ ns of CPU time");
  }

  @Test
  void onlyADeviceThatKeepsSomethingOfEachPacketGrows() throws IOException, InterruptedException {
    // What other tests use at the same time must not count.
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx512m",
                "-D" + LOGGING + "=" + System.getProperty(LOGGING, ""),
                "-cp",
                System.getProperty("java.class.path"),
                FuzzerTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).isEqualTo("null");
    assertThat(lines.getLast()).matches(".*AssertionError: [0-9]+ packets have left [0-9]+ bytes");
  }
}
