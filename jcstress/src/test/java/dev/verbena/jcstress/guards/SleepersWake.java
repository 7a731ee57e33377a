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

/** Two threads hold a guard for so long that the other one falls asleep, or is about to. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "each has got in")
@State
public class SleepersWake {
  /** About as often as a thread looks at a guard before it sleeps. */
  private static final int LONG = 220;

  private final Guard guard = RankedGuard.make(Rank.REQUESTER);
  private int count;

  private void hold() {
    guard.enter();
    try {
      for (int i = 0; i < LONG; i++) {
        Thread.onSpinWait();
      }
      count++;
    } finally {
      guard.exit();
    }
  }

  @Actor
  public void first() {
    hold();
  }

  @Actor
  public void second() {
    hold();
  }

  @Arbiter
  public void result(I_Result r) {
    r.r1 = count;
  }
}
