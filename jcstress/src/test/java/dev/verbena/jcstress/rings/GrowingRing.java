package dev.verbena.jcstress.rings;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A ring moves to a larger array while completions are polled: none is lost, and all stay in order.
 */
@JCStressTest
@Outcome(id = "0, 1, 64", expect = Expect.ACCEPTABLE, desc = "the oldest ones, then the rest")
@State
public class GrowingRing {
  private static final int FULL = 64;
  private final Completions completions = new Completions(2 * FULL);

  /** The first array is full. */
  public GrowingRing() {
    for (int i = 0; i < FULL; i++) {
      completions.add(i);
    }
  }

  @Actor
  public void adds() {
    completions.add(FULL);
  }

  @Actor
  public void polls(III_Result r) {
    r.r1 = completions.poll();
    r.r2 = completions.poll();
  }

  @Arbiter
  public void result(III_Result r) {
    int expected = 2;
    int last = -1;
    for (int number = completions.poll(); number != -1; number = completions.poll()) {
      last = number == expected ? number : -3;
      expected = number == expected ? expected + 1 : -1;
    }
    r.r3 = last;
  }
}
