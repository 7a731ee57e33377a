package dev.verbena.tools.kit;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** The progress of a long run, of which the user is told every few seconds. */
public final class Progress implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final ProgressReporter reporter;
  private final String what;
  private final long all;
  private final AtomicLong done = new AtomicLong();
  private final Ticker.Ticking ticking;
  private long seconds;

  Progress(ProgressReporter reporter, String what, long all) {
    this.reporter = reporter;
    this.what = what;
    this.all = all;
    ticking = reporter.ticker().every(INTERVAL, this::tell);
  }

  /** Notes that {@code messages} messages are done; cheap enough to call for each of them. */
  public void at(long messages) {
    done.setOpaque(messages);
  }

  private void tell() {
    seconds += INTERVAL.toSeconds();
    reporter.err().println(line());
  }

  private String line() {
    long now = done.getOpaque();
    String part =
        all == 0 ? "" : String.format(Locale.ROOT, " of %d (%d %%)", all, now * 100 / all);
    return String.format(Locale.ROOT, "%s: %d s, %d messages%s", what, seconds, now, part);
  }

  @Override
  public void close() {
    ticking.close();
  }
}
