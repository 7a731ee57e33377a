package dev.verbena.jcstress.rings;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A ring shrinks while a thread adds and polls. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "nothing is lost, or comes again")
@State
public class ResizedRing {
  private final Completions completions = new Completions(128);

  @Actor
  public void addsAndPolls(III_Result r) {
    completions.add(1);
    r.r1 = completions.poll();
  }

  @Actor
  public void shrinks(III_Result r) {
    r.r3 = completions.ring().resize(2) ? 1 : 0;
  }

  @Arbiter
  public void result(III_Result r) {
    r.r2 = completions.pollAll();
  }
}
