package dev.verbena.jcstress.keys;

import dev.verbena.soft.memory.Region;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** An old key is used while its slot gets another region: it never finds that one. */
@JCStressTest
@Outcome(id = "-1, 2", expect = Expect.ACCEPTABLE, desc = "its region has ended")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "its region was still there")
@State
public class ReusedSlot {
  private final Table table = new Table();
  private final Region old = table.register(1);
  private int newKey;

  @Actor
  public void registersAnew() {
    table.keys().remove(old);
    table.draws(Table.DRAWN ^ 0x4320_0000);
    newKey = table.register(2).rkey();
  }

  @Actor
  public void usesTheOldKey(JJ_Result r) {
    r.r1 = Table.base(table.keys().byRemoteKey(old.rkey()));
  }

  @Arbiter
  public void result(JJ_Result r) {
    r.r2 = Table.base(table.keys().byRemoteKey(newKey));
  }
}
