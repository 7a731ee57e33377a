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
import org.openjdk.jcstress.infra.results.III_Result;

/** A thread tries a guard, twice, that another one takes; whoever gets it counts. */
@JCStressTest
@Outcome(id = "1, 1, 3", expect = Expect.ACCEPTABLE, desc = "it was free")
@Outcome(id = "0, 1, 2", expect = Expect.ACCEPTABLE, desc = "it was taken at first")
@Outcome(id = "1, 0, 2", expect = Expect.ACCEPTABLE, desc = "it was taken then")
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "it was taken for long")
@State
public class TriesExclude {
  private final Guard guard = RankedGuard.make(Rank.REQUESTER);
  private int count;

  private int attempt() {
    if (!guard.tryEnter()) {
      return 0;
    }
    try {
      count++;
      return 1;
    } finally {
      guard.exit();
    }
  }

  @Actor
  public void tries(III_Result r) {
    r.r1 = attempt();
    r.r2 = attempt();
  }

  @Actor
  public void takes() {
    guard.enter();
    try {
      count++;
    } finally {
      guard.exit();
    }
  }

  @Arbiter
  public void result(III_Result r) {
    r.r3 = count;
  }
}
