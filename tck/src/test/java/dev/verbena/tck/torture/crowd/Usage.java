package dev.verbena.tck.torture.crowd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What a process uses over its life, and whether that grows. The first quarter is warm-up. After
 * it, the least of the last quarter may not exceed the most of the second one: whatever comes and
 * goes does not count, and what is never given back shows in the end.
 */
final class Usage {
  /** Fewer samples do not tell growth from warm-up. */
  static final int FEWEST = 60;

  /** Memory may grow by one part in so many, because compilers go on for long. */
  private static final int TOLERANCE = 20;

  private final List<Sample> samples = new ArrayList<>();

  /**
   * The use at one time.
   *
   * @param kilobytes resident memory
   * @param heap kilobytes of Java's heap that were in use after the last collection
   */
  record Sample(long kilobytes, long heap, long descriptors, long threads) {
    private static Sample of(long pid, long heap) throws IOException {
      Path process = Path.of("/proc/" + pid);
      List<String> status = Files.readAllLines(process.resolve("status"));
      try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
        return new Sample(
            number(status, "VmRSS:"), heap, descriptors.count(), number(status, "Threads:"));
      }
    }

    private static long number(List<String> status, String name) {
      String line = status.stream().filter(l -> l.startsWith(name)).findFirst().orElseThrow();
      return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }
  }

  /** Looks at the process, whose heap has so many kilobytes in use. */
  void look(long pid, long heap) throws IOException {
    add(Sample.of(pid, heap));
  }

  /** How often it was looked at. */
  int looks() {
    return samples.size();
  }

  void add(Sample sample) {
    samples.add(sample);
  }

  /** Whether there are enough samples to tell growth. */
  private boolean isJudged() {
    return samples.size() >= FEWEST;
  }

  /** What has grown; or nothing, also if there is too little to tell. */
  String growth() {
    if (!isJudged()) {
      return "";
    }
    return growth("kilobytes", Sample::kilobytes, TOLERANCE)
        + growth("kilobytes of heap", Sample::heap, TOLERANCE)
        + growth("descriptors", Sample::descriptors, Integer.MAX_VALUE)
        + growth("threads", Sample::threads, Integer.MAX_VALUE);
  }

  private String growth(String what, ToLongFunction<Sample> value, int tolerance) {
    int quarter = samples.size() / 4;
    List<Sample> early = samples.subList(quarter, 2 * quarter);
    List<Sample> late = samples.subList(samples.size() - quarter, samples.size());
    long most = early.stream().mapToLong(value).max().orElseThrow();
    long least = late.stream().mapToLong(value).min().orElseThrow();
    return least - most > most / tolerance
        ? "%s grow: at most %d in the second quarter, at least %d in the last; "
            .formatted(what, most, least)
        : "";
  }

  /** For people. */
  @Override
  public String toString() {
    if (samples.isEmpty()) {
      return "not looked at";
    }
    Sample first = samples.get(samples.size() / 4);
    Sample last = samples.getLast();
    return "%d to %d MB, %d to %d MB of heap, %d to %d descriptors, %d to %d threads%s"
        .formatted(
            first.kilobytes >> 10,
            last.kilobytes >> 10,
            first.heap >> 10,
            last.heap >> 10,
            first.descriptors,
            last.descriptors,
            first.threads,
            last.threads,
            isJudged() ? "" : ", too short to judge growth");
  }
}
