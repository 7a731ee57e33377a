package dev.verbena.soft.engine.progress;

import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong where no caller can be told: it ends neither a thread nor the application's call.
 * Mistakes of this library that a packet or a timer brought to light are logged at the 1st, 2nd,
 * 4th, 8th time and so on, so that who can provoke one cannot fill the disk. A heap shortage is the
 * application's, and no moment to log: it is noted without allocating, and told by {@link #report}
 * once there is memory again. A class that could not be initialized for lack of heap is no use to
 * this JVM any more: to meet it later is no shortage, for to try again does not help.
 */
public final class Failures {
  private static final Logger LOG = System.getLogger(Failures.class.getName());

  /**
   * Characters, more than a line has. The first line brings in classes of the JDK, which must not
   * meet a full heap: whoever has no room for so many does not begin to log.
   */
  private static final int ROOM = 1 << 16;

  private final String device;
  private final Tally tally;
  private final Logger log;
  private final AtomicLong shortages = new AtomicLong();

  /** Of the shortages, those that the counter has. Written by who holds the monitor. */
  private volatile long counted;

  /** At how many shortages the next one is logged. Written by who holds the monitor. */
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

  /** Notes one; allocates nothing for a heap shortage, and else may meet one itself. */
  public void add(String doing, Throwable failure) {
    if (isShortage(failure)) {
      shortages.incrementAndGet();
    } else {
      log(doing, "", failure);
    }
  }

  /** Notes one of a queue pair, as {@link #add}. */
  public void addOfQp(String doing, int qpNum, Throwable failure) {
    if (isShortage(failure)) {
      shortages.incrementAndGet();
    } else {
      log(doing, " QP 0x" + Integer.toHexString(qpNum), failure);
    }
  }

  /** Whether there was no heap for an object: what was to be done may succeed later. */
  public static boolean isShortage(Throwable failure) {
    return failure instanceof OutOfMemoryError;
  }

  /** If there is no memory to log it, it is not counted either: the caller comes again with it. */
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
   * Counts and logs the shortages since the last time; threads do so regularly. What there is no
   * memory for is left to the next time.
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

  /** Writes a line; if there is no memory for it, the caller comes again with it. */
  private void write(Level level, StringBuilder line, @Nullable Throwable failure) {
    try {
      log.log(level, line.toString(), failure);
    } catch (RuntimeException | LinkageError e) {
      // The log is broken, and nobody else is there to tell. The counters tell what the line would.
    }
  }

  /** How many mistakes there were. */
  public synchronized long count() {
    return count;
  }

  /** The first mistake, or null. */
  public synchronized @Nullable Throwable first() {
    return first;
  }
}
