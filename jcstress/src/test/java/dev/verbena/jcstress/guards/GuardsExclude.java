package dev.verbena.jcstress.guards;

import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.progress.RankedGuard;
import dev.verbena.soft.queue.Guard;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two threads count under a guard, twice each. */
@JCStressTest
@Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "each is counted")
@State
public class GuardsExclude {
  private final Guard guard = RankedGuard.make(Rank.REQUESTER);
  private int count;

  private void add() {
    guard.enter();
    try {
      count++;
    } finally {
      guard.exit();
    }
  }

  @Actor
  public void first() {
    add();
    add();
  }

  @Actor
  public void second() {
    add();
    add();
  }

  @Arbiter
  public void result(I_Result r) {
    r.r1 = count;
  }
}
