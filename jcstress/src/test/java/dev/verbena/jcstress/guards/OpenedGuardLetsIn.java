package dev.verbena.jcstress.guards;

import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.progress.RankedGuard;
import dev.verbena.soft.queue.Guard;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;

/** A thread waits for a guard that nobody gives back, until it is opened. */
@JCStressTest(Mode.Termination)
@Outcome(id = "TERMINATED", expect = Expect.ACCEPTABLE, desc = "the thread is let in")
@Outcome(id = "STALE", expect = Expect.FORBIDDEN, desc = "it waits for ever")
@State
public class OpenedGuardLetsIn {
  private final Guard guard = RankedGuard.make(Rank.POLL);

  /** The thread that makes the state keeps the guard. */
  public OpenedGuardLetsIn() {
    guard.enter();
  }

  @Actor
  public void waits() {
    guard.enter();
    guard.exit();
  }

  @Signal
  public void opens() {
    guard.open();
  }
}
