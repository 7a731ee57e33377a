package dev.verbena.jcstress.rings;

import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.progress.RankedGuard;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.RecvWqe;
import dev.verbena.soft.queue.SharedReceives;
import dev.verbena.soft.queue.SharedRecvQueue;

/** A shared receive queue. */
final class Pool {
  private static final Domain DOMAIN = new Domain();

  private final SharedRecvQueue queue =
      new SharedRecvQueue(4, 1, RankedGuard.make(Rank.RQ), () -> {});

  /** What one queue pair takes from it. */
  SharedReceives receives() {
    return new SharedReceives(queue, CompletionRing.unused(), DOMAIN, DOMAIN);
  }

  void post(long id) {
    queue.enter();
    try {
      queue.claim(0).begin(id);
      queue.publish(1);
    } finally {
      queue.exit();
    }
  }

  /** Takes the oldest one; its number, or -1 if there is none. */
  static long take(SharedReceives receives) {
    RecvWqe wqe = receives.take();
    return wqe == null ? -1 : wqe.wrId();
  }
}
