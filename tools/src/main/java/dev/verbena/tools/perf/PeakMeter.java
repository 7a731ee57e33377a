package dev.verbena.tools.perf;

/** Looks for the best time per message between the post of any one and the end of a later one. */
final class PeakMeter {
  /** More messages take too long to compare with each other. */
  static final long MOST = 20_000;

  private final long[] postNumbers;
  private final long[] postTimes;
  private final long[] endNumbers;
  private final long[] endTimes;
  private int posts;
  private int ends;

  /** Of at most so many messages. */
  PeakMeter(int messages) {
    postNumbers = new long[messages];
    postTimes = new long[messages];
    endNumbers = new long[messages];
    endTimes = new long[messages];
  }

  /** A list of messages is posted. */
  void posted(long messagesBefore, long now) {
    postNumbers[posts] = messagesBefore;
    postTimes[posts++] = now;
  }

  /** Messages have completed. */
  void completed(long messages, long now) {
    endNumbers[ends] = messages;
    endTimes[ends++] = now;
  }

  /** Nanoseconds of a message at the best; infinite if there was none. */
  double bestNanos() {
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
