package dev.verbena.jcstress.keys;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** A key is used while its region is registered: the region is whole, or not there. */
@JCStressTest
@Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "not yet")
@Outcome(id = "4096", expect = Expect.ACCEPTABLE, desc = "whole")
@State
public class RegisteredRegion {
  /** The rkey that the first region gets. */
  private static final int RKEY = new Table().register(0).rkey();

  private final Table table = new Table();

  @Actor
  public void registers() {
    table.register(4096);
  }

  @Actor
  public void uses(J_Result r) {
    r.r1 = Table.base(table.keys().byRemoteKey(RKEY));
  }
}
