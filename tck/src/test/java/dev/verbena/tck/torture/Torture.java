package dev.verbena.tck.torture;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;

/**
 * Mixed operations between two devices, whatever happens to their packets. Every byte and every
 * atomic is checked; a lost connection is counted, and made anew. Ends with an error if anything is
 * wrong, and says what it took.
 */
public final class Torture {
  private static final List<Counter> INTERESTING =
      List.of(
          Counter.PACKETS_SENT,
          Counter.FAULTS_DROPPED,
          Counter.FAULTS_CORRUPTED,
          Counter.SOCKET_OVERFLOWS,
          Counter.RETRANSMITTED,
          Counter.TIMEOUTS,
          Counter.SEQUENCE_NAKS_RECEIVED,
          Counter.RNR_NAKS_RECEIVED,
          Counter.DUPLICATE_REQUESTS,
          Counter.DROPPED_OUT_OF_ORDER,
          Counter.DROPPED_STALE_RESPONSE);

  private final Options options;
  private long longestPause;

  private Torture(Options options) {
    this.options = options;
  }

  /**
   * Runs, and prints what it took.
   *
   * @param arguments as {@link Options#HELP} says
   */
  public static void main(String[] arguments) {
    Options options = Options.parse(arguments);
    System.out.println(options);
    Result result = run(options);
    System.out.println(result.text());
  }

  /** Runs to its end. */
  public static Result run(Options options) {
    return new Torture(options).run();
  }

  private Result run() {
    try (Context left = Devices.open(options.left());
        Context right = Devices.open(options.right())) {
      ProtectionDomain leftPd = left.allocPd();
      ProtectionDomain rightPd = right.allocPd();
      List<Lane> lanes = new ArrayList<>();
      for (int i = 0; i < options.pairs(); i++) {
        lanes.add(new Lane(options, i, leftPd, rightPd));
      }
      long begin = System.nanoTime();
      drive(lanes, begin + options.seconds() * 1_000_000_000L);
      lanes.forEach(Lane::checkAtRest);
      return new Result(
          done(lanes),
          lanes.stream().mapToLong(Lane::lost).sum(),
          System.nanoTime() - begin,
          lanes.stream().mapToLong(Lane::longestGap).max().orElse(0),
          longestPause,
          read(left),
          read(right));
    }
  }

  private void drive(List<Lane> lanes, long end) {
    boolean more = true;
    long before = System.nanoTime();
    while (more || !lanes.stream().allMatch(Lane::isIdle)) {
      for (Lane lane : lanes) {
        lane.act(more);
      }
      long now = System.nanoTime();
      longestPause = Math.max(longestPause, now - before);
      before = now;
      more &= done(lanes) < options.operations() && now < end;
    }
  }

  private static long done(List<Lane> lanes) {
    long sum = 0;
    for (Lane lane : lanes) {
      sum += lane.done();
    }
    return sum;
  }

  private static List<Long> read(Context context) {
    return INTERESTING.stream().map(context.counters()::get).toList();
  }

  /**
   * What it took.
   *
   * @param operations that have succeeded
   * @param connectionsLost that had to be made anew
   * @param nanos from the first operation to the end
   * @param longestGap nanoseconds in which a pair with work made no progress
   * @param longestPause nanoseconds in which this thread did not look: what its machine did to it
   * @param left counters of one device
   * @param right counters of the other
   */
  public record Result(
      long operations,
      long connectionsLost,
      long nanos,
      long longestGap,
      long longestPause,
      List<Long> left,
      List<Long> right) {

    /** A counter of both devices. */
    public long count(Counter counter) {
      int index = INTERESTING.indexOf(counter);
      if (index < 0) {
        throw new IllegalArgumentException(counter + " is not looked at");
      }
      return left.get(index) + right.get(index);
    }

    /** Packets that faults took away. */
    public long packetsLost() {
      return count(Counter.FAULTS_DROPPED) + count(Counter.FAULTS_CORRUPTED);
    }

    /** For people. */
    public String text() {
      StringBuilder text = new StringBuilder();
      text.append(
          "%d operations, %d connections lost, %.1f s, %.0f/s, longest gap %.1f ms, longest pause %.1f ms%n"
              .formatted(
                  operations,
                  connectionsLost,
                  nanos / 1e9,
                  operations * 1e9 / nanos,
                  longestGap / 1e6,
                  longestPause / 1e6));
      for (int i = 0; i < INTERESTING.size(); i++) {
        text.append("%-24s %10d %10d%n".formatted(INTERESTING.get(i), left.get(i), right.get(i)));
      }
      text.append(
          "sent again %.2f times what was lost%n"
              .formatted((double) count(Counter.RETRANSMITTED) / Math.max(1, packetsLost())));
      return text.toString();
    }
  }
}
