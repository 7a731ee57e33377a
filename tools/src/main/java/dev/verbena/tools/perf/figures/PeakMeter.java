package dev.verbena.tools.perf.figures;

/**
 * Determines the best time per message between the post of any message and the completion of a
 * later one.
 */
public final class PeakMeter {
  /** Maximum number of messages: comparing more with each other takes too long. */
  public static final long MOST = 20_000;

  private final long[] postNumbers;
  private final long[] postTimes;
  private final long[] endNumbers;
  private final long[] endTimes;
  private int posts;
  private int ends;

  /** A meter for at most {@code messages} messages. */
  public PeakMeter(int messages) {
    postNumbers = new long[messages];
    postTimes = new long[messages];
    endNumbers = new long[messages];
    endTimes = new long[messages];
  }

  /** Notes that a list of messages is posted. */
  public void posted(long messagesBefore, long now) {
    postNumbers[posts] = messagesBefore;
    postTimes[posts++] = now;
  }

  /** Notes that messages have completed. */
  public void completed(long messages, long now) {
    endNumbers[ends] = messages;
    endTimes[ends++] = now;
  }

  /** The best time of a message in nanoseconds; infinite if there was none. */
  public double bestNanos() {
    double best = Double.POSITIVE_INFINITY;
    int firstEnd = 0;
    for (int i = 0; i < posts; i++) {
      while (firstEnd < ends && endNumbers[firstEnd] <= postNumbers[i]) {
        firstEnd++;
      }
      for (int j = firstEnd; j < ends; j++) {
        double nanos = (double) (endTimes[j] - postTimes[i]) / (endNumbers[j] - postNumbers[i]);
        best = Math.min(best, nanos);
      }
    }
    return best;
  }
}
