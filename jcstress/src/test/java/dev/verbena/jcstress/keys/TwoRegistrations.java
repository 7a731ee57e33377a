package dev.verbena.jcstress.keys;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Two threads register with the same random numbers: both find their regions. */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "each has its own slot")
@State
public class TwoRegistrations {
  private final Table table = new Table();
  private int one;
  private int other;

  @Actor
  public void registers() {
    one = table.register(1).rkey();
  }

  @Actor
  public void registersToo() {
    other = table.register(2).rkey();
  }

  @Arbiter
  public void result(JJ_Result r) {
    r.r1 = Table.base(table.keys().byRemoteKey(one));
    r.r2 = Table.base(table.keys().byRemoteKey(other));
  }
}
