package dev.verbena.tools.kit;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** Shows the user the progress of a long run every few seconds. */
public final class Progress implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final PrintWriter err;
  private final String what;
  private final long all;
  private final AtomicLong done = new AtomicLong();
  private final Thread thread;

  /**
   * The progress of a run that begins now.
   *
   * @param what description of the run
   * @param all the total number of messages; 0 if the clock ends the run
   */
  public Progress(PrintWriter err, String what, long all) {
    this.err = err;
    this.what = what;
    this.all = all;
    thread = Thread.ofPlatform().daemon().name("progress").start(this::tell);
  }

  /** Notes that {@code messages} messages are done; cheap enough to call for each of them. */
  public void at(long messages) {
    done.setOpaque(messages);
  }

  private void tell() {
    long seconds = 0;
    try {
      while (true) {
        Thread.sleep(INTERVAL);
        seconds += INTERVAL.toSeconds();
        err.println(line(seconds));
      }
    } catch (InterruptedException ended) {
      // The run is over.
    }
  }

  private String line(long seconds) {
    long now = done.getOpaque();
    String part =
        all == 0 ? "" : String.format(Locale.ROOT, " of %d (%d %%)", all, now * 100 / all);
    return String.format(Locale.ROOT, "%s: %d s, %d messages%s", what, seconds, now, part);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
