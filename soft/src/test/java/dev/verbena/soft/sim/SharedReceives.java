package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WorkCompletion;

/** The receives that one queue pair takes from a shared receive queue. */
final class SharedReceives implements Receives {
  private final SharedPool pool;
  private final QueuePair qp;
  private final boolean mayHoldOne;
  private int needed;
  private int lastEvents;
  private long newest = -1;

  /**
   * A new user of the queue.
   *
   * @param mayHoldOne whether a receive may wait for the next message after one was lost
   */
  SharedReceives(SharedPool pool, QueuePair qp, boolean mayHoldOne) {
    this.pool = pool;
    this.qp = qp;
    this.mayHoldOne = mayHoldOne;
    pool.join(this);
  }

  int needed() {
    return needed;
  }

  boolean mayHoldOne() {
    return mayHoldOne;
  }

  /**
   * The queue pair has taken this one; it completes them in the order of the queue.
   *
   * @param putBack whether others may have put back receives that they took earlier
   */
  void took(long number, boolean putBack) {
    if (!putBack) {
      assertThat(number).as("order of receives").isGreaterThan(newest);
    }
    newest = number;
  }

  void take(AsyncEvent event) {
    if (event.eventType() == EventType.QP_LAST_WQE_REACHED && qp.equals(event.qp())) {
      lastEvents++;
    }
  }

  @Override
  public void post() {
    pool.post();
  }

  @Override
  public void armLimit() {
    pool.armLimit();
  }

  @Override
  public void ensure(int messages) {
    needed = messages;
    pool.ensure();
  }

  @Override
  public Place take(WorkCompletion wc) {
    return pool.take(this, wc);
  }

  @Override
  public void forget() {}

  @Override
  public void restart() {
    needed = 0;
    lastEvents = 0;
  }

  @Override
  public void checkFlushed() {
    assertThat(lastEvents).as("QP_LAST_WQE_REACHED").isEqualTo(1);
  }

  @Override
  public boolean areShared() {
    return true;
  }
}
