package dev.verbena.jcstress.rings;

import dev.verbena.soft.queue.SendQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two pollers free slots of a send queue: no slot that one has seen free is taken again. */
@JCStressTest
@Outcome(id = "2, 4", expect = Expect.ACCEPTABLE, desc = "before the later request")
@Outcome(id = "4, 4", expect = Expect.ACCEPTABLE, desc = "after the later request")
@State
public class ReclaimedSlots {
  private final SendQueue queue = new SendQueue(4, 1, 0);

  /** All slots are taken. */
  public ReclaimedSlots() {
    queue.publish(4);
  }

  @Actor
  public void polls(II_Result r) {
    queue.reclaim(1);
    r.r1 = queue.free();
  }

  @Actor
  public void pollsTheLast() {
    queue.reclaim(3);
  }

  @Arbiter
  public void result(II_Result r) {
    r.r2 = queue.free();
  }
}
