package dev.verbena.jcstress.rings;

import dev.verbena.soft.queue.CompletionRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread asks for an event and then polls in vain: the completion that comes meanwhile raises the
 * event.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "it was there already")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(id = "-1, 1", expect = Expect.ACCEPTABLE, desc = "the event tells of it")
@Outcome(id = "-1, 0", expect = Expect.FORBIDDEN, desc = "the thread would sleep for ever")
@State
public class ArmedRing {
  private volatile int raised;

  private final Completions completions =
      new Completions(
          4,
          new CompletionRing.Listener() {
            @Override
            public void completed() {
              raised = 1;
            }

            @Override
            public void waitsUntil(long deadline) {}

            @Override
            public void overrun() {}
          });

  @Actor
  public void adds() {
    completions.add(1);
  }

  @Actor
  public void waits(II_Result r) {
    completions.ring().arm(false);
    r.r1 = completions.poll();
  }

  @Arbiter
  public void result(II_Result r) {
    r.r2 = raised;
  }
}
