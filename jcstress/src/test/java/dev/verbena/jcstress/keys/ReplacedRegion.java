package dev.verbena.jcstress.keys;

import dev.verbena.soft.memory.Region;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * A region is registered anew with another address under the same keys: a user sees one or the
 * other.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "as before")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "as after")
@State
public class ReplacedRegion {
  private final Table table = new Table();
  private final Region old = table.register(1);

  @Actor
  public void replaces() {
    Region next = new Region(old.lkey(), old.rkey(), old.domain(), old.access(), 2, old.memory());
    table.windows().replace(old, next);
  }

  @Actor
  public void uses(J_Result r) {
    r.r1 = Table.base(table.keys().byRemoteKey(old.rkey()));
  }
}
