package dev.verbena.jcstress.keys;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/**
 * {@link GrownTable} for two processors: the key is used and the region removed by one thread,
 * since jcstress leaves out tests with more threads than processors.
 */
@JCStressTest
@Outcome(id = "1, 1, 2, -1", expect = Expect.ACCEPTABLE, desc = "as if it had not grown")
@State
public class GrownTableByTurns {
  private final GrownTable table = new GrownTable();

  @Actor
  public void registers() {
    table.registers();
  }

  @Actor
  public void usesAndRemoves(JJJJ_Result r) {
    table.uses(r);
    table.removes();
  }

  @Arbiter
  public void result(JJJJ_Result r) {
    table.result(r);
  }
}
