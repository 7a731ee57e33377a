package dev.verbena.jcstress.rings;

import dev.verbena.soft.queue.SharedReceives;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Two queue pairs take from a shared queue, to which the thread of one posts before. */
@JCStressTest
@Outcome(id = "1, 2, -1", expect = Expect.ACCEPTABLE, desc = "one each")
@Outcome(id = "2, 1, -1", expect = Expect.ACCEPTABLE, desc = "one each")
@State
public class SharedReceivesRace {
  private final Pool pool = new Pool();
  private final SharedReceives one = pool.receives();
  private final SharedReceives other = pool.receives();

  /** One is posted. */
  public SharedReceivesRace() {
    pool.post(1);
  }

  @Actor
  public void takes(JJJ_Result r) {
    r.r1 = Pool.take(one);
  }

  @Actor
  public void postsAndTakes(JJJ_Result r) {
    pool.post(2);
    r.r2 = Pool.take(other);
  }

  @Arbiter
  public void result(JJJ_Result r) {
    r.r3 = Pool.take(pool.receives());
  }
}
