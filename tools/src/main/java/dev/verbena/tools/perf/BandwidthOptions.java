package dev.verbena.tools.perf;

import dev.verbena.tools.kit.Ranges;
import dev.verbena.tools.kit.ToolException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What only the tools that measure bandwidth can be told, by perftest's names. */
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
          "Ask for one completion in so many messages (default: "
              + CQ_MODERATION
              + ", or as many"
              + " as a list has; 1 above 8 KiB).")
  private @Nullable Integer cqModeration;

  @Option(
      names = {"-b", "--bidirectional"},
      description = "Both ends send, and the results are added up. Give it to both ends.")
  private boolean bothWays;

  @Option(
      names = {"-N", "--noPeak", "--no-peak"},
      description = "Do not look for the peak; nor is it looked for beyond 20000 messages.")
  private boolean noPeak;

  @Option(
      names = {"--report_gbits", "--report-gbits"},
      description = "Results in gigabits a second. Give it to both ends.")
  private boolean gigabits;

  /** Refuses what is out of range or does not go together. */
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

  /** How many messages share a completion: never more than fit into the queue with a list. */
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

  /** Bytes that a result counts as 1. */
  double unit() {
    return gigabits ? BandwidthResult.GIGABIT : BandwidthResult.MEGABYTE;
  }
}
