package dev.verbena.mad;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.verbs.spi.MadTransport;
import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link MadTransactor} that works by itself: the receiving thread, the timers, and
 * the protocol machine under its lock. Only pending requests reference the object that the program
 * holds, so that a transactor that the program loses can be noticed.
 */
final class MadExchange {
  /** The receiving thread does not wait for deadlines, which have timers of their own. */
  private static final Duration LONG = Duration.ofHours(1);

  private final String name;
  private final MadTransport transport;
  private final ReentrantLock lock = new ReentrantLock();
  private final Transactions transactions;
  private final long origin = System.nanoTime();
  private volatile MadTrace trace = MadTrace.NONE;
  private @Nullable RdmaException over;

  /** When the machine runs next. */
  private long wakeTime = Long.MAX_VALUE;

  /**
   * @param endPort the local port's name
   */
  MadExchange(String endPort, MadTransport transport) {
    this.name = "MAD transactor of " + endPort;
    this.transport = transport;
    this.transactions = new Transactions(this::send, new SecureRandom().nextInt());
    Thread.ofPlatform().daemon().name("verbena-mad-" + endPort).start(this::receive);
  }

  void trace(MadTrace shown) {
    trace = shown;
  }

  /** Sends a request, or ends it if the exchange is closed. */
  void start(Transaction transaction) {
    run(
        () -> {
          if (over != null) {
            transactions.refuse(transaction, over);
          } else {
            transactions.start(now(), transaction);
            wakeAt(transaction.deadline);
          }
        });
  }

  /** Drops a request that is no longer waited for. */
  void cancel(Transaction transaction) {
    run(() -> transactions.cancel(transaction));
  }

  /** Runs a step of the machine, and then completes the requests that have ended. */
  private void run(Runnable step) {
    List<Transactions.Done> done;
    lock.lock();
    try {
      step.run();
      done = transactions.takeDone();
    } finally {
      lock.unlock();
    }
    done.forEach(Transactions.Done::tell);
  }

  /**
   * Schedules a run of the machine, unless an earlier one is scheduled. The timer, which may be a
   * day away, does not keep a closed exchange alive; the receiving thread does until then.
   */
  private void wakeAt(long deadline) {
    if (deadline < wakeTime) {
      wakeTime = deadline;
      WeakReference<MadExchange> weak = new WeakReference<>(this);
      CompletableFuture.delayedExecutor(Math.max(0, deadline - now()), TimeUnit.NANOSECONDS)
          .execute(() -> wake(weak.get(), deadline));
    }
  }

  private static void wake(@Nullable MadExchange exchange, long deadline) {
    if (exchange != null) {
      exchange.run(() -> exchange.wake(deadline));
    }
  }

  private void wake(long deadline) {
    if (deadline != wakeTime) {
      // An earlier run was scheduled after this one, and will check again itself.
      return;
    }
    wakeTime = Long.MAX_VALUE;
    transactions.expire(now());
    Long next = transactions.nextDeadline();
    if (next != null) {
      wakeAt(next);
    }
  }

  private void send(MadAddress to, MemorySegment mad, Duration answerWithin) {
    trace.sent(to, mad.asReadOnly());
    transport.send(to, mad, answerWithin);
  }

  private void receive() {
    MemorySegment mad = MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]);
    RdmaException end = null;
    while (end == null) {
      try {
        MadAddress from = transport.receive(mad, LONG);
        if (from != null) {
          trace.received(from, mad.asReadOnly());
          run(() -> transactions.receive(now(), from, mad));
        }
        end = over();
      } catch (RdmaException e) {
        end = e;
      } catch (InterruptedException e) {
        end = closed();
      } catch (RuntimeException e) {
        end = new VerbsException("mad", Errno.EIO, this + " stopped receiving: " + e, e);
      }
    }
    RdmaException reason = end;
    run(() -> endWith(reason));
  }

  /** The number of pending requests. */
  int waiting() {
    lock.lock();
    try {
      return transactions.waiting();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable RdmaException over() {
    lock.lock();
    try {
      return over;
    } finally {
      lock.unlock();
    }
  }

  private void endWith(RdmaException reason) {
    if (over == null) {
      over = reason;
    }
    transactions.failAll(over);
  }

  private ObjectClosedException closed() {
    return new ObjectClosedException("mad", name);
  }

  private long now() {
    return System.nanoTime() - origin;
  }

  /** Whether it still receives: it was not closed, and its transport has not failed. */
  boolean isAlive() {
    return over() == null;
  }

  void close() {
    run(() -> endWith(closed()));
    transport.close();
  }

  @Override
  public String toString() {
    return name;
  }
}
