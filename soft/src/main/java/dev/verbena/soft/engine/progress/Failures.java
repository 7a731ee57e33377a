package dev.verbena.soft.engine.progress;

import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Failures that no caller can be told of, and that end neither a thread nor the application's call.
 * Bugs of this library that a packet or a timer reveals are logged the 1st, 2nd, 4th, 8th time and
 * so on, so that a peer that can provoke one cannot fill the disk. A heap shortage is the
 * application's, and no time for logging: it is noted without allocation, and {@link #report} logs
 * it once there is memory again. A class that could not be initialized for lack of heap stays
 * unusable in this JVM, so meeting it later does not count as a shortage, because trying again does
 * not help.
 */
public final class Failures {
  private static final Logger LOG = System.getLogger(Failures.class.getName());

  /**
   * Characters, more than a line has. The first line loads classes of the JDK, which must not
   * happen with a full heap; without room for this number of characters logging does not start.
   */
  private static final int ROOM = 1 << 16;

  private final String device;
  private final Tally tally;
  private final Logger log;
  private final AtomicLong shortages = new AtomicLong();

  /** The shortages that are already in the counter. Written under the monitor. */
  private volatile long counted;

  /** The number of shortages at which the next log line is due. Written under the monitor. */
  private volatile long nextReport = 1;

  private @Nullable Throwable first;
  private long count;

  /**
   * @param device name for messages
   * @param tally of the device
   */
  public Failures(String device, Tally tally) {
    this(device, tally, LOG);
  }

  public Failures(String device, Tally tally, Logger log) {
    this.device = device;
    this.tally = tally;
    this.log = log;
  }

  /**
   * Records a failure. Allocates nothing for a heap shortage; for others it may itself meet one.
   */
  public void add(String doing, Throwable failure) {
    if (isShortage(failure)) {
      shortages.incrementAndGet();
    } else {
      log(doing, "", failure);
    }
  }

  /** Records a failure of a queue pair, as {@link #add}. */
  public void addOfQp(String doing, int qpNum, Throwable failure) {
    if (isShortage(failure)) {
      shortages.incrementAndGet();
    } else {
      log(doing, " QP 0x" + Integer.toHexString(qpNum), failure);
    }
  }

  /** Whether the heap had no room for an object, so that the action may succeed later. */
  public static boolean isShortage(Throwable failure) {
    return failure instanceof OutOfMemoryError;
  }

  /**
   * Logs a failure. If there is no memory for that, it is not counted either, and the caller
   * repeats it.
   */
  private synchronized void log(String doing, String what, Throwable failure) {
    if (first == null) {
      first = failure;
    }
    long which = count + 1;
    if (Long.bitCount(which) == 1) {
      StringBuilder line = line().append(": failure ").append(which).append(" of the engine, ");
      line.append(doing).append(what).append(": please report it");
      write(Level.ERROR, line, failure);
    }
    count = which;
  }

  /**
   * Counts and logs the shortages since the last call; threads call this regularly. Whatever there
   * is no memory for waits for the next call.
   */
  void report() {
    long now = shortages.get();
    if (now != counted || now >= nextReport) {
      tell();
    }
  }

  private synchronized void tell() {
    long now = shortages.get();
    tally.add(Counter.HEAP_SHORTAGES, now - counted);
    counted = now;
    if (now >= nextReport) {
      StringBuilder line =
          line().append(": the heap was full ").append(now).append(" times when the");
      line.append(" device needed a little of it; it goes on, but may have lost packets or events");
      write(Level.WARNING, line, null);
      nextReport = 2 * now;
    }
  }

  private StringBuilder line() {
    return new StringBuilder(ROOM).append(device);
  }

  /** Writes a line; if there is no memory for it, the caller repeats it. */
  private void write(Level level, StringBuilder line, @Nullable Throwable failure) {
    try {
      log.log(level, line.toString(), failure);
    } catch (RuntimeException | LinkageError e) {
      // The log is broken, and there is no other place to report. The counters have the same
      // information.
    }
  }

  /** The number of bugs seen. */
  public synchronized long count() {
    return count;
  }

  /** The first bug seen, or null. */
  public synchronized @Nullable Throwable first() {
    return first;
  }
}
