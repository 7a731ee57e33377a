package dev.verbena.soft.link;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Whether a thread may spin without taking a processor from another: if no more threads want to run
 * than there are processors. Linux tells how many do, on the whole computer, in /proc/loadavg; on
 * other systems four processors count as enough, which is what two programs that spin and their two
 * engine threads need. A container with fewer processors than the computer may see too many
 * threads; then nothing spins in it. For one thread at a time.
 */
public final class Processors implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Processors.class.getName());
  private static final String LOAD = "/proc/loadavg";

  /** Such as {@code 0.20 0.18 0.12 1/80 11206}. */
  private static final int MOST_BYTES = 128;

  /** Asking takes two microseconds. */
  private static final long AGAIN_NANOS = 1_000_000;

  private static final int ENOUGH = 4;

  private final int available;
  private final byte[] text = new byte[MOST_BYTES];
  private @Nullable RandomAccessFile load;
  private boolean opened;
  private boolean room;
  private long askedAt = Long.MIN_VALUE / 2;

  /** Those that the process may use. */
  public Processors() {
    this(Runtime.getRuntime().availableProcessors());
  }

  /**
   * @param available how many there are
   */
  Processors(int available) {
    this.available = available;
  }

  /**
   * Whether there is room for the calling thread, which runs, or was a moment ago.
   *
   * @param now engine time, nanoseconds
   */
  public boolean haveRoom(long now) {
    if (now - askedAt >= AGAIN_NANOS) {
      askedAt = now;
      int running = running();
      room = running > 0 ? running <= available : available >= ENOUGH;
    }
    return room;
  }

  /** The number of threads that run or want to; 0 if the system does not tell. */
  private int running() {
    if (!opened) {
      opened = true;
      open();
    }
    if (load == null) {
      return 0;
    }
    try {
      load.seek(0);
      return running(text, load.read(text));
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "cannot read " + LOAD, e);
      close();
      return 0;
    }
  }

  private void open() {
    try {
      load = new RandomAccessFile(LOAD, "r");
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "cannot open " + LOAD, e);
    }
  }

  /** The number before the slash; 0 if there is none. */
  static int running(byte[] text, int length) {
    int number = 0;
    for (int i = 0; i < length; i++) {
      if (text[i] == '/') {
        return number;
      }
      number = text[i] >= '0' && text[i] <= '9' ? 10 * number + text[i] - '0' : 0;
    }
    return 0;
  }

  @Override
  public void close() {
    if (load != null) {
      try {
        load.close();
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "cannot close " + LOAD, e);
      }
      load = null;
    }
  }
}
