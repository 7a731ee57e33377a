package dev.verbena.tools.perf;

import dev.verbena.tools.kit.ItersOption;
import dev.verbena.tools.kit.Ranges;
import dev.verbena.tools.kit.SizeOption;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.perf.figures.RunClock;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the measuring tools about their messages, with perftest's names. */
final class RunOptions {
  /** The largest message of a run over all sizes. */
  static final int LARGEST = 1 << 23;

  private static final int SMALLEST = 2;
  private static final int ATOMIC_SIZE = 8;
  private static final int MOST_SECONDS = 1_000_000;

  private final Verb verb;

  @Mixin private final SizeOption size;
  @Mixin private final ItersOption iters;

  @Option(
      names = {"-a", "--all"},
      description =
          "Measure all powers of two from 2 bytes to 8 MiB, or to the path MTU on UD. Give it to"
              + " both ends.")
  private boolean all;

  @Option(
      names = {"-D", "--duration"},
      paramLabel = "SECONDS",
      description =
          "Measure for this long instead of for a number of messages. Give it to both ends.")
  private @Nullable Integer seconds;

  @Option(
      names = {"-f", "--margin"},
      paramLabel = "SECONDS",
      description =
          "With --duration: how much to leave out at the beginning and the end (default: a quarter"
              + " of it).")
  private @Nullable Integer margin;

  @Option(
      names = "--skip",
      paramLabel = "COUNT",
      defaultValue = "0",
      description =
          "Leave this many first messages, during which Java still compiles, out of the result"
              + " (default: ${DEFAULT-VALUE}). The C programs have no such option, and the peer"
              + " does not need it.")
  private int skip;

  @Option(
      names = "--json",
      description = "Print the result as one JSON object, and nothing else, on standard output.")
  private boolean json;

  RunOptions(Verb verb, int size, int iters) {
    this.verb = verb;
    this.size = new SizeOption(verb == Verb.ATOMIC ? ATOMIC_SIZE : size);
    this.iters = new ItersOption(iters);
  }

  /** Rejects options that are out of range or exclude each other. */
  void check() {
    int least = verb == Verb.ATOMIC ? ATOMIC_SIZE : 1;
    size.check(least, verb == Verb.ATOMIC ? ATOMIC_SIZE : 1 << 30);
    iters.check();
    if (all && verb == Verb.ATOMIC) {
      throw ToolException.usage("--all is not for atomics, which have 8 bytes");
    }
    if (margin != null && seconds == null) {
      throw ToolException.usage("--margin is for runs with --duration");
    }
    if (seconds != null) {
      checkDuration(seconds);
    } else {
      Ranges.check("--skip", skip, 0, iters.count() - 1);
    }
  }

  private void checkDuration(int length) {
    Ranges.check("--duration", length, 1, MOST_SECONDS);
    if (all) {
      throw ToolException.usage("--duration and --all exclude each other");
    }
    if (skip != 0) {
      throw ToolException.usage("--duration and --skip exclude each other; use --margin");
    }
    if (margin != null) {
      Ranges.check("--margin", margin, 0, (length - 1) / 2);
    }
  }

  /** The sizes to measure, one after the other. */
  int[] sizes(int largest) {
    return all
        ? IntStream.iterate(SMALLEST, each -> each <= largest, each -> 2 * each).toArray()
        : new int[] {size.bytes()};
  }

  /** The single size, without --all. */
  int size() {
    return size.bytes();
  }

  boolean all() {
    return all;
  }

  /** The number of messages of a queue pair, if the clock does not end the run. */
  int iters() {
    return iters.count();
  }

  int skip() {
    return skip;
  }

  boolean json() {
    return json;
  }

  boolean isTimed() {
    return seconds != null;
  }

  /** A clock for one run. */
  RunClock clock() {
    if (seconds == null) {
      return RunClock.untimed();
    }
    Duration length = Duration.ofSeconds(seconds);
    // Also for fractions of a second, where the C programs' quarter would be 0.
    return RunClock.timed(
        length, margin == null ? length.dividedBy(4) : Duration.ofSeconds(margin));
  }
}
