package dev.verbena.soft.engine;

import dev.verbena.soft.engine.progress.Alarm;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.AckTimeout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Queue pairs that have ended for the program, and still acknowledge what their peers repeat, like
 * TCP's TIME_WAIT. If the last acknowledgement of a connection is lost and its queue pair is gone,
 * the peer repeats its request until it fails, though all of it has arrived; and verbs has no
 * message that closes a connection. A device that has met no loss does not linger, nor does one for
 * a peer of its own process, which ends with it.
 *
 * <p>It lasts as long as a peer with the same timeout tries, at least {@link #SHORTEST} and at most
 * {@link #LONGEST}. A device that is closed meanwhile waits for it.
 */
final class Lingering {
  /** Nanoseconds, because a peer on a busy computer repeats late. */
  static final long SHORTEST = 100_000_000;

  /** Nanoseconds; nobody should wait longer for a program to end. */
  static final long LONGEST = 2_000_000_000;

  /** The first transmission and the most retries that a queue pair can have. */
  private static final int TRIES = 8;

  private static final long CHECK_MILLIS = 100;

  /**
   * Counters that show that packets get lost, damaged or late between this device and its peers,
   * and that no stranger can change.
   */
  private static final List<Counter> SIGNS =
      List.of(
          Counter.FAULTS_DROPPED,
          Counter.FAULTS_CORRUPTED,
          Counter.RETRANSMITTED,
          Counter.DUPLICATE_REQUESTS,
          Counter.SEQUENCE_NAKS_SENT,
          Counter.DROPPED_OUT_OF_ORDER);

  private final Engine engine;
  private final Consumer<QpRuntime> end;
  private final Alarm alarm;
  private final Map<QpRuntime, Long> until = new HashMap<>();

  /**
   * @param end ends a queue pair whose time is over
   */
  Lingering(Engine engine, Consumer<QpRuntime> end) {
    this.engine = engine;
    this.end = end;
    alarm = engine.newAlarm(this::ring);
  }

  /** The program has ended a queue pair; returns false if it can end at once. */
  boolean takes(QpRuntime qp) {
    if (!hasMetLoss(engine) || !qp.retire()) {
      return false;
    }
    long deadline = engine.clock().now() + duration(qp.parameters());
    synchronized (until) {
      until.putIfAbsent(qp, deadline);
    }
    alarm.set(deadline);
    return true;
  }

  private static boolean hasMetLoss(Engine engine) {
    Tally tally = engine.tally();
    return engine.hasMetDamage() || SIGNS.stream().anyMatch(sign -> tally.get(sign) > 0);
  }

  private static long duration(QpParameters parameters) {
    long timeout = Math.min(parameters.ackTimeoutNanos, LONGEST);
    return parameters.ackTimeoutNanos == AckTimeout.INFINITE
        ? SHORTEST
        : Math.clamp(TRIES * timeout, SHORTEST, LONGEST);
  }

  private void ring(long now) {
    List<QpRuntime> over = new ArrayList<>();
    long next = Long.MAX_VALUE;
    synchronized (until) {
      for (Map.Entry<QpRuntime, Long> entry : until.entrySet()) {
        if (entry.getValue() <= now) {
          over.add(entry.getKey());
        } else {
          next = Math.min(next, entry.getValue());
        }
      }
    }
    over.forEach(end);
    synchronized (until) {
      until.keySet().removeAll(over);
      until.notifyAll();
    }
    if (next != Long.MAX_VALUE) {
      alarm.set(next);
    }
  }

  /**
   * Returns when the time is over for all of them.
   *
   * @param served whether there is still a thread that serves them
   */
  void await(BooleanSupplier served) {
    boolean interrupted = false;
    synchronized (until) {
      while (!until.isEmpty() && served.getAsBoolean()) {
        try {
          until.wait(CHECK_MILLIS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
