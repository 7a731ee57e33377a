package dev.verbena.verbs.provider;

import dev.verbena.verbs.EventSource.Readiness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads wait until an event queue has events: by blocking, with a Selector on a channel that
 * is readable while there are events, or with a listener.
 */
public final class WaitSignal implements Signal, AutoCloseable {
  private static final Logger LOG = System.getLogger(WaitSignal.class.getName());

  private final Runnable beforeWaiting;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ByteBuffer oneByte = ByteBuffer.allocate(1);
  private @Nullable Pipe pipe;

  /** Those that know the pipe; closing it wakes only who is selecting. */
  private final List<Selector> selectors = new ArrayList<>();

  private volatile @Nullable Readiness listener;
  private volatile boolean raised;
  private boolean closed;

  /** How often an event has come, or may have gone. */
  private long changes;

  /**
   * @param beforeWaiting run by a thread that is about to block
   */
  public WaitSignal(Runnable beforeWaiting) {
    this.beforeWaiting = beforeWaiting;
  }

  @Override
  public void raise() {
    lock.lock();
    try {
      if (!raised && !closed) {
        raised = true;
        changes++;
        changed.signalAll();
        fillPipe();
        tellReady();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void change() {
    lock.lock();
    try {
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void remain() {
    if (listener == null) {
      return;
    }
    lock.lock();
    try {
      if (raised) {
        tellReady();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void lower() {
    lock.lock();
    try {
      if (raised) {
        raised = false;
        emptyPipe();
        tellDrained();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Notifies this listener of every change from now on, and at once if events wait. */
  public void onReadiness(@Nullable Readiness told) {
    lock.lock();
    try {
      if (!closed) {
        listener = told;
        if (raised) {
          tellReady();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether events wait. */
  public boolean isRaised() {
    return raised;
  }

  /**
   * Blocks until events wait, the time is over or the signal is closed.
   *
   * @param nanos the longest time in nanoseconds; for ever if negative
   * @return whether events wait; another thread may take them first
   * @throws InterruptedException if the thread is interrupted before or while it waits
   */
  public boolean await(long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (raised || nanos == 0) {
      return raised;
    }
    return block(nanos, () -> raised);
  }

  /** A number that differs once an event has come, or one may have gone. */
  public long changes() {
    lock.lock();
    try {
      return changes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Blocks until {@link #changes} is another number than the one seen, the time is over or the
   * signal is closed.
   *
   * @param nanos the longest time in nanoseconds; for ever if negative
   * @throws InterruptedException if the thread is interrupted before or while it waits
   */
  public void awaitChange(long seen, long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    block(nanos, () -> changes != seen);
  }

  /** Returns whether events wait. */
  private boolean block(long nanos, BooleanSupplier over) throws InterruptedException {
    beforeWaiting.run();
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (!over.getAsBoolean() && !closed && (nanos < 0 || left > 0)) {
        if (nanos < 0) {
          changed.await();
        } else {
          left = changed.awaitNanos(left);
        }
      }
      return raised;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A channel that is readable while events wait, in non-blocking mode, for registering with a
   * Selector. Only this signal may read from it. Always the same channel.
   *
   * @throws UncheckedIOException if the system has no more pipes
   * @throws IllegalStateException if the signal is closed
   */
  public SelectableChannel selectable() {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the signal is closed");
      }
      Pipe present = pipe;
      if (present == null) {
        present = openPipe();
        pipe = present;
        if (raised) {
          fillPipe();
        }
      }
      return present.source();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Registers {@link #selectable} for reading. {@link #close} ends the selector's next selection,
   * if none is under way.
   *
   * @throws UncheckedIOException if the system has no more pipes
   * @throws IllegalStateException if the signal is closed
   */
  public SelectionKey register(Selector selector) {
    lock.lock();
    try {
      SelectionKey key = selectable().register(selector, SelectionKey.OP_READ);
      selectors.removeIf(known -> known.equals(selector) || !known.isOpen());
      selectors.add(selector);
      return key;
    } catch (ClosedChannelException e) {
      throw new IllegalStateException("the program has closed the channel of the signal", e);
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waiting, closes the channel and forgets the listener. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      raised = false;
      listener = null;
      changed.signalAll();
      closePipe();
      // A selector that was between two selections no longer has the channel's key.
      selectors.forEach(Selector::wakeup);
      selectors.clear();
    } finally {
      lock.unlock();
    }
  }

  private void closePipe() {
    Pipe present = pipe;
    if (present != null) {
      pipe = null;
      try {
        present.sink().close();
        present.source().close();
      } catch (IOException e) {
        LOG.log(Level.WARNING, "the pipe of an event queue did not close", e);
      }
    }
  }

  private void tellReady() {
    Readiness told = listener;
    if (told != null) {
      try {
        told.ready();
      } catch (RuntimeException e) {
        refused(e);
      }
    }
  }

  private void tellDrained() {
    Readiness told = listener;
    if (told != null) {
      try {
        told.drained();
      } catch (RuntimeException e) {
        refused(e);
      }
    }
  }

  // The caller is the thread that raised or took the event; a listener's fault must not stop it.
  private static void refused(RuntimeException e) {
    LOG.log(Level.ERROR, "a listener of an event source has thrown", e);
  }

  private static Pipe openPipe() {
    try {
      Pipe pipe = Pipe.open();
      pipe.source().configureBlocking(false);
      pipe.sink().configureBlocking(false);
      return pipe;
    } catch (IOException e) {
      throw new UncheckedIOException("no pipe could be opened for waiting with a Selector", e);
    }
  }

  private void fillPipe() {
    Pipe present = pipe;
    if (present != null) {
      try {
        present.sink().write(oneByte.clear());
      } catch (IOException e) {
        LOG.log(Level.ERROR, "a Selector is not told of an event", e);
      }
    }
  }

  private void emptyPipe() {
    Pipe present = pipe;
    if (present != null) {
      try {
        present.source().read(oneByte.clear());
      } catch (IOException e) {
        LOG.log(Level.ERROR, "a Selector is told of an event that was taken", e);
      }
    }
  }
}
