package dev.verbena.tck.torture;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Mixed operations between two devices, whatever happens to their packets. Every byte and every
 * atomic is checked; a lost connection is counted, and made anew. Ends with an error if anything is
 * wrong or worse than {@link Bars} allow, and says what it took.
 */
public final class Torture {
  static final List<Counter> INTERESTING =
      List.of(
          Counter.PACKETS_SENT,
          Counter.FAULTS_DROPPED,
          Counter.FAULTS_CORRUPTED,
          Counter.FAULTS_REORDERED,
          Counter.FAULTS_DELAYED,
          Counter.SOCKET_OVERFLOWS,
          Counter.RETRANSMITTED,
          Counter.TIMEOUTS,
          Counter.SEQUENCE_NAKS_RECEIVED,
          Counter.RNR_NAKS_RECEIVED,
          Counter.DUPLICATE_REQUESTS,
          Counter.DROPPED_OUT_OF_ORDER,
          Counter.DROPPED_STALE_RESPONSE,
          Counter.DROPPED_NO_QP);

  /** The counters of a device that has not been asked yet. */
  static final List<Long> NO_COUNTERS = Collections.nCopies(INTERESTING.size(), 0L);

  private Torture() {}

  /**
   * Runs, and prints the result.
   *
   * @param arguments as {@link Options#HELP} says
   */
  public static void main(String[] arguments) throws IOException {
    Options options = Options.read(arguments, Options::parse);
    System.out.println(options);
    Integer port = options.serve();
    if (port != null) {
      TargetServer.run(options.right(), port, options.nanos());
    } else {
      try {
        conclude(run(options, Torture::tell), options);
      } catch (RuntimeException | AssertionError failure) {
        fail(options.traffic().seed(), failure);
      }
    }
  }

  private static void conclude(Result result, Options options) {
    List<String> breaches = Bars.breaches(result, options);
    System.out.print(result.counters());
    System.out.printf(
        "%s: seed %d, %s%n",
        breaches.isEmpty() ? "held" : "FAILED, " + String.join(", ", breaches),
        options.traffic().seed(),
        result.figures());
    System.exit(breaches.isEmpty() ? 0 : 1);
  }

  /** Ends the process; its last line names the seed and says what has failed. */
  public static void fail(long seed, Throwable failure) {
    failure.printStackTrace();
    String why =
        String.valueOf(
                failure instanceof AssertionError ? failure.getMessage() : failure.toString())
            .lines()
            .filter(line -> !line.isBlank())
            .findFirst()
            .orElse("");
    System.out.printf("FAILED: seed %d, %s%n", seed, why);
    System.exit(1);
  }

  private static void tell(long seconds, long operations) {
    System.out.println(seconds + " s: " + operations + " operations");
  }

  /** Runs to its end. */
  public static Result run(Options options) {
    return run(options, (seconds, operations) -> {});
  }

  /**
   * Runs to its end.
   *
   * @param minutely is told of the seconds that have passed and the operations that have succeeded
   */
  private static Result run(Options options, LongBinaryConsumer minutely) {
    try (Session session = Session.open(options)) {
      long start = System.nanoTime();
      long end = start + options.nanos();
      long told = 0;
      while (!options.isEnough(session.done()) && System.nanoTime() - end < 0) {
        session.act(true);
        requirePeer(session);
        long minutes = TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - start);
        if (minutes > told) {
          told = minutes;
          minutely.accept(TimeUnit.MINUTES.toSeconds(minutes), session.done());
        }
      }
      Result result = session.finish();
      requirePeer(session);
      return result;
    }
  }

  private static void requirePeer(Session session) {
    if (session.hasOrphans()) {
      throw new AssertionError("the target process is gone");
    }
  }

  private interface LongBinaryConsumer {
    void accept(long seconds, long operations);
  }

  static List<Long> read(Context context) {
    return INTERESTING.stream().map(context.counters()::get).toList();
  }

  /**
   * The result of a run.
   *
   * @param operations that have succeeded
   * @param deeds the same by service and kind
   * @param connectionsLost that had to be made anew
   * @param disturbed connections that ended by a target's mischief
   * @param arrived messages of unreliable services
   * @param announced messages of unreliable services that would have arrived if none had been lost
   * @param nanos from the first operation to the end
   * @param longestGap nanoseconds in which a pair with work made no progress, whatever the reason
   * @param longestPause nanoseconds in which this thread did not run, though it had no connection
   *     to make, because of other load on its computer
   * @param attacks packets that attackers have sent, of each kind that they were to
   * @param left counters of one device
   * @param right counters of the other
   */
  public record Result(
      long operations,
      Deeds deeds,
      long connectionsLost,
      long disturbed,
      long arrived,
      long announced,
      long nanos,
      long longestGap,
      long longestPause,
      Map<Attack, Long> attacks,
      List<Long> left,
      List<Long> right) {

    /** A counter of both devices. */
    public long count(Counter counter) {
      return left.get(index(counter)) + countRight(counter);
    }

    /** A counter of the right device. */
    public long countRight(Counter counter) {
      return right.get(index(counter));
    }

    private static int index(Counter counter) {
      int index = INTERESTING.indexOf(counter);
      if (index < 0) {
        throw new IllegalArgumentException(counter + " is not looked at");
      }
      return index;
    }

    /**
     * Packets that were lost. A receiver drops packets that come early, so a reordered or delayed
     * packet counts as lost, too.
     */
    public long packetsLost() {
      return count(Counter.FAULTS_DROPPED)
          + count(Counter.FAULTS_CORRUPTED)
          + count(Counter.FAULTS_REORDERED)
          + count(Counter.FAULTS_DELAYED)
          + count(Counter.SOCKET_OVERFLOWS);
    }

    /** Everything, for people. */
    public String text() {
      return counters() + figures();
    }

    /** Lines with what was done, and what the devices have counted. */
    String counters() {
      StringBuilder text = new StringBuilder();
      deeds.kinds().forEach((kind, number) -> text.append("%-24s %10d%n".formatted(kind, number)));
      if (disturbed > 0 || announced > 0) {
        text.append(
            "%d connections ended by mischief, %d of %d unreliable messages received%n"
                .formatted(disturbed, arrived, announced));
      }
      for (int i = 0; i < INTERESTING.size(); i++) {
        text.append("%-24s %10d %10d%n".formatted(INTERESTING.get(i), left.get(i), right.get(i)));
      }
      return text.toString();
    }

    /** All that the bars are about, in one line. */
    String figures() {
      return """
      %,d operations, %d connections lost, %.1f s, %,.0f/s, sent again %.2f times what was lost, \
      longest gap %.0f ms, longest pause %.0f ms%s\
      """
          .formatted(
              operations,
              connectionsLost,
              nanos / 1e9,
              operations * 1e9 / nanos,
              (double) count(Counter.RETRANSMITTED) / Math.max(1, packetsLost()),
              longestGap / 1e6,
              longestPause / 1e6,
              attacks.isEmpty() ? "" : ", %,d packets of attackers".formatted(attackPackets()));
    }

    private long attackPackets() {
      return attacks.values().stream().mapToLong(Long::longValue).sum();
    }
  }
}
