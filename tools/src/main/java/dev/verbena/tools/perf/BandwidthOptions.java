package dev.verbena.tools.perf;

import dev.verbena.tools.kit.Ranges;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.perf.figures.BandwidthResult;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options only for the bandwidth tools, with perftest's names. */
final class BandwidthOptions {
  private static final int CQ_MODERATION = 100;
  private static final int LARGE_MESSAGE = 8192;
  private static final int MOST_QUEUE_PAIRS = 1 << 14;
  private static final int MOST_IN_QUEUE = 1 << 15;

  @Option(
      names = {"-q", "--qp"},
      paramLabel = "COUNT",
      defaultValue = "1",
      description = "Queue pairs (default: ${DEFAULT-VALUE}). Give it to both ends.")
  private int queuePairs;

  @Option(
      names = {"-l", "--post_list"},
      paramLabel = "COUNT",
      defaultValue = "1",
      description = "Messages posted by one call, as a list (default: ${DEFAULT-VALUE}).")
  private int list;

  @Option(
      names = {"-t", "--tx-depth"},
      paramLabel = "DEPTH",
      defaultValue = "128",
      description = "Messages in flight on a queue pair (default: ${DEFAULT-VALUE}).")
  private int txDepth;

  @Option(
      names = {"-Q", "--cq-mod"},
      paramLabel = "COUNT",
      description =
          "Request one completion per this many messages (default: "
              + CQ_MODERATION
              + ", or as many"
              + " as in a list; 1 above 8 KiB).")
  private @Nullable Integer cqModeration;

  @Option(
      names = {"-b", "--bidirectional"},
      description = "Both ends send, and the results are added up. Give it to both ends.")
  private boolean bothWays;

  @Option(
      names = {"-N", "--noPeak", "--no-peak"},
      description =
          "Do not determine the peak, which is not determined beyond 20000 messages either.")
  private boolean noPeak;

  @Option(
      names = {"--report_gbits", "--report-gbits"},
      description = "Report results in gigabits per second. Give it to both ends.")
  private boolean gigabits;

  /** Rejects options that are out of range or exclude each other. */
  void check() {
    Ranges.check("--qp", queuePairs, 1, MOST_QUEUE_PAIRS);
    Ranges.check("--tx-depth", txDepth, 1, MOST_IN_QUEUE);
    Ranges.check("--post_list", list, 1, MOST_IN_QUEUE);
    if (cqModeration != null) {
      Ranges.check("--cq-mod", cqModeration, 1, MOST_IN_QUEUE);
    }
    if (list > txDepth) {
      throw ToolException.usage(
          "--post_list=%d is more than --tx-depth=%d".formatted(list, txDepth));
    }
  }

  int queuePairs() {
    return queuePairs;
  }

  int list() {
    return list;
  }

  int txDepth() {
    return txDepth;
  }

  /**
   * How many messages share a completion: never more than fit into the queue together with a list.
   */
  int cqModeration(int size) {
    int wanted = CQ_MODERATION;
    if (cqModeration != null) {
      wanted = cqModeration;
    } else if (list > 1) {
      wanted = list;
    } else if (size > LARGE_MESSAGE) {
      wanted = 1;
    }
    return Math.min(wanted, txDepth - list + 1);
  }

  boolean bothWays() {
    return bothWays;
  }

  boolean wantsPeak() {
    return !noPeak;
  }

  boolean gigabits() {
    return gigabits;
  }

  /** The unit of results, in bytes. */
  double unit() {
    return gigabits ? BandwidthResult.GIGABIT : BandwidthResult.MEGABYTE;
  }
}
