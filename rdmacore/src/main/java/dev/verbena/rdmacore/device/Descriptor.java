package dev.verbena.rdmacore.device;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A descriptor from which the library reads events. It never blocks: it is read by whoever looks
 * for events and, once somebody waits, by the thread of {@link Watcher}.
 *
 * <p>It refers to no object that a program holds: a lost context is closed by it.
 */
final class Descriptor {
  private final int number;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean watched;
  private boolean closed;

  /**
   * @param number open, and the library's
   */
  Descriptor(int number) {
    this.number = number;
    Watcher.unblock(number);
  }

  /** Reads, unless it is closed; one thread at a time. */
  void read(Runnable reading) {
    lock.lock();
    try {
      if (!closed) {
        reading.run();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Has this called from now on, whenever there is something to read, for as long as it exists. */
  void watch(Runnable reader) {
    lock.lock();
    try {
      if (!closed && !watched) {
        Watcher.begin(number, reader);
        watched = true;
      }
    } finally {
      lock.unlock();
    }
  }

  /** It is read no more. */
  void close() {
    lock.lock();
    try {
      if (!closed && watched) {
        Watcher.end(number);
      }
      closed = true;
    } finally {
      lock.unlock();
    }
  }
}
