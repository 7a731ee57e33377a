package dev.verbena.jcstress.rings;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The completions of a queue pair are removed while others are polled. */
@JCStressTest
@Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "removed first")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "polled first")
@State
public class PurgedRing {
  private final Completions completions = new Completions(4);

  /** One of each queue pair. */
  public PurgedRing() {
    completions.add(1);
    completions.add(2);
  }

  @Actor
  public void purges() {
    completions.ring().purge(1, true);
  }

  @Actor
  public void polls(II_Result r) {
    r.r1 = completions.poll();
  }

  @Arbiter
  public void result(II_Result r) {
    r.r2 = completions.pollAll();
  }
}
