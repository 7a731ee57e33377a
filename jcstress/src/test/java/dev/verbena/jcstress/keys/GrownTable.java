package dev.verbena.jcstress.keys;

import dev.verbena.soft.memory.Region;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

/**
 * The table grows while a key is used and another region is removed: the key finds its region all
 * the time, and the removed one does not come back.
 */
@JCStressTest
@Outcome(id = "1, 1, 2, -1", expect = Expect.ACCEPTABLE, desc = "as if it had not grown")
@State
public class GrownTable {
  /** Before it grows; that is a matter of speed only. */
  private static final int REGIONS = 32;

  private final Table table = new Table();
  private final Region used = table.register(1);
  private final Region removed = table.register(0);
  private int newKey;

  /** With as many regions as it takes before it grows. */
  public GrownTable() {
    for (int i = 2; i < REGIONS; i++) {
      table.register(0);
    }
    // Otherwise the new region would get the key of the removed one, if that goes first.
    table.draws(~Table.DRAWN);
  }

  @Actor
  public void registers() {
    newKey = table.register(2).rkey();
  }

  @Actor
  public void removes() {
    table.keys().remove(removed);
  }

  @Actor
  public void uses(JJJJ_Result r) {
    r.r1 = Table.base(table.keys().byRemoteKey(used.rkey()));
  }

  @Arbiter
  public void result(JJJJ_Result r) {
    r.r2 = Table.base(table.keys().byRemoteKey(used.rkey()));
    r.r3 = Table.base(table.keys().byRemoteKey(newKey));
    r.r4 = Table.base(table.keys().byRemoteKey(removed.rkey()));
  }
}
