package dev.verbena.tck.torture.crowd;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * What a process uses over its life, and whether that grows. The first quarter is warm-up. After
 * it, the least of the last quarter may not exceed the most of the second one: whatever comes and
 * goes does not count, and what is never given back shows in the end.
 *
 * <p>Apart from other descriptors are its ties to peers: TCP connections, which are the lines of
 * lanes, and memory without a name, which processes share. A lane keeps them until it gives up a
 * peer that was killed, which takes longer on a busy computer and on a bad network, so there may be
 * more of them for a while.
 */
final class Usage {
  /** Fewer samples do not tell growth from warm-up. */
  static final int FEWEST = 60;

  /** Memory may grow by one part in so many, because compilers go on for long. */
  private static final int TOLERANCE = 20;

  /** Ties may be twice as many: those to a peer that is gone, and to its successor. */
  private static final int TIES_TOLERANCE = 1;

  /** Columns of /proc/net/tcp, and a state in it. */
  private static final int TCP_STATE = 3;

  private static final int TCP_INODE = 9;
  private static final String TCP_LISTENS = "0A";

  /** What descriptors of memory without a name point to begins like this. */
  private static final String MEMORY = "/memfd:";

  private final List<Sample> samples = new ArrayList<>();

  /**
   * The use at one time.
   *
   * @param kilobytes resident memory
   * @param heap kilobytes of Java's heap that were in use after the last collection
   * @param descriptors all but ties
   * @param ties connected TCP sockets, and memory without a name
   */
  record Sample(long kilobytes, long heap, long descriptors, long ties, long threads) {
    private static Sample of(long pid, long heap) throws IOException {
      Path process = Path.of("/proc/" + pid);
      List<String> status = Files.readAllLines(process.resolve("status"));
      Set<String> tcp = connectedSockets(process);
      long descriptors = 0;
      long ties = 0;
      try (DirectoryStream<Path> all = Files.newDirectoryStream(process.resolve("fd"))) {
        for (Path descriptor : all) {
          String target = target(descriptor);
          if (tcp.contains(target) || target.startsWith(MEMORY)) {
            ties++;
          } else {
            descriptors++;
          }
        }
      }
      return new Sample(
          number(status, "VmRSS:"), heap, descriptors, ties, number(status, "Threads:"));
    }

    /** The targets of descriptors of sockets that are connected by TCP, or were. */
    private static Set<String> connectedSockets(Path process) throws IOException {
      Set<String> sockets = new HashSet<>();
      for (String name : List.of("net/tcp", "net/tcp6")) {
        Path table = process.resolve(name);
        // Without IPv6 there is only one.
        for (String line : Files.exists(table) ? Files.readAllLines(table) : List.<String>of()) {
          String[] fields = line.strip().split("\\s+");
          if (!fields[TCP_STATE].equals(TCP_LISTENS)) {
            sockets.add("socket:[" + fields[TCP_INODE] + "]");
          }
        }
      }
      return sockets;
    }

    private static String target(Path descriptor) throws IOException {
      try {
        return Files.readSymbolicLink(descriptor).toString();
      } catch (NoSuchFileException e) {
        return "closed meanwhile";
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
        + growth("ties", Sample::ties, TIES_TOLERANCE)
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
    return "%d to %d MB, %d to %d MB of heap, %d to %d descriptors, %d to %d ties, %d to %d threads%s"
        .formatted(
            first.kilobytes >> 10,
            last.kilobytes >> 10,
            first.heap >> 10,
            last.heap >> 10,
            first.descriptors,
            last.descriptors,
            first.ties,
            last.ties,
            first.threads,
            last.threads,
            isJudged() ? "" : ", too short to judge growth");
  }
}
