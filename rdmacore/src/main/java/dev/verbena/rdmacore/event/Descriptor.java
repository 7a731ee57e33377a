package dev.verbena.rdmacore.event;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor from which the library reads events, without ever waiting for one.
 *
 * <p>It refers to no object that a program holds: a lost context is closed by it.
 */
public final class Descriptor {
  private final int number;
  private final ReentrantLock lock = new ReentrantLock();
  private Watcher.@Nullable Watch watch;
  private boolean closed;

  /**
   * @param number open, and the library's
   */
  public Descriptor(int number) {
    this.number = number;
    Watcher.unblock(number);
  }

  /** Does this, unless it is closed; one thread at a time. */
  void use(Runnable action) {
    lock.lock();
    try {
      if (!closed) {
        action.run();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Has this told from now on, whenever there is something to read, for as long as it exists. */
  void watch(Watcher.Reader reader) {
    use(
        () -> {
          if (watch == null) {
            watch = Watcher.shared().begin(number, reader);
          }
        });
  }

  /** From now on nobody reads it. The number stays open, since it is the library's. */
  public void close() {
    use(
        () -> {
          closed = true;
          if (watch != null) {
            watch.end();
          }
        });
  }
}
