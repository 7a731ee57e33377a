package dev.verbena.soft.device.cq;

import dev.verbena.soft.queue.CompletionRing;
import java.lang.ref.WeakReference;

/**
 * Forwards events of a ring to its completion queue, without keeping the queue reachable: queue
 * pairs refer to the ring.
 */
final class RingListener implements CompletionRing.Listener {
  private final WeakReference<SoftCompletionQueue> cq;

  RingListener(SoftCompletionQueue cq) {
    this.cq = new WeakReference<>(cq);
  }

  @Override
  public void completed() {
    SoftCompletionQueue present = cq.get();
    if (present != null) {
      present.completed();
    }
  }

  @Override
  public void waitsUntil(long deadline) {
    SoftCompletionQueue present = cq.get();
    if (present != null) {
      present.waitsUntil(deadline);
    }
  }

  @Override
  public void overrun() {
    SoftCompletionQueue present = cq.get();
    if (present != null) {
      present.overrun();
    }
  }
}
