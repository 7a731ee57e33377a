package dev.verbena.proofs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Captures the records of {@code java.util.logging} loggers until it is closed; no other handler
 * gets them. A test that uses it runs alone, because loggers belong to the whole process. The
 * methods are for one thread.
 */
public final class HeardLog implements AutoCloseable {
  private static final long POLL_MILLIS = 100;

  private final List<Logger> loggers;
  private final BlockingQueue<LogRecord> arriving = new LinkedBlockingQueue<>();
  private final List<LogRecord> heard = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          arriving.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Starts listening to the loggers with these names. */
  public HeardLog(String... names) {
    loggers = List.of(names).stream().map(Logger::getLogger).toList();
    for (Logger logger : loggers) {
      logger.setUseParentHandlers(false);
      logger.addHandler(handler);
    }
  }

  /** Sets the level of the loggers. */
  public void level(@Nullable Level level) {
    loggers.forEach(logger -> logger.setLevel(level));
  }

  /** The messages heard so far. */
  public List<String> lines() {
    arriving.drainTo(heard);
    return heard.stream().map(LogRecord::getMessage).toList();
  }

  /**
   * Waits for a message.
   *
   * @param part a part of the message
   * @param meanwhile called repeatedly until it comes
   */
  public LogRecord await(String part, Duration patience, Runnable meanwhile)
      throws InterruptedException {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < patience.toNanos()) {
      meanwhile.run();
      LogRecord next = arriving.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (next != null) {
        heard.add(next);
      }
      for (LogRecord line : heard) {
        if (line.getMessage().contains(part)) {
          return line;
        }
      }
    }
    throw new AssertionError("the log does not say '" + part + "', only " + lines());
  }

  /** Stops listening, and resets the loggers. */
  @Override
  public void close() {
    level(null);
    for (Logger logger : loggers) {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
  }
}
