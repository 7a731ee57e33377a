package dev.verbena.jcstress.rings;

import dev.verbena.soft.queue.SharedReceives;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A queue pair puts a receive back while another takes one: it is the first of the queue again, and
 * not lost.
 */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "put back first")
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "taken first")
@State
public class ReceivePutBack {
  private final Pool pool = new Pool();
  private final SharedReceives one = pool.receives();
  private final SharedReceives other = pool.receives();

  /** The first of two is taken. */
  public ReceivePutBack() {
    pool.post(1);
    pool.post(2);
    one.take();
  }

  @Actor
  public void putsBack() {
    one.putBack();
  }

  @Actor
  public void takes(JJ_Result r) {
    r.r1 = Pool.take(other);
  }

  @Arbiter
  public void result(JJ_Result r) {
    r.r2 = Pool.take(pool.receives());
  }
}
