package dev.verbena.jcstress.rings;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads poll two completions: each gets one, the older one first. */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "one each")
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "one each")
@State
public class PolledCompletions {
  private final Completions completions = new Completions(4);

  /** Two wait. */
  public PolledCompletions() {
    completions.add(1);
    completions.add(2);
  }

  @Actor
  public void polls(II_Result r) {
    r.r1 = completions.poll();
  }

  @Actor
  public void pollsToo(II_Result r) {
    r.r2 = completions.poll();
  }
}
