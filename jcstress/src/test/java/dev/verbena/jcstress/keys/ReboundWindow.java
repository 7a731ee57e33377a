package dev.verbena.jcstress.keys;

import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.Window;
import dev.verbena.soft.memory.WindowOwner;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * A window of type 1 is bound anew while its old key is used: that finds the old part or nothing.
 */
@JCStressTest
@Outcome(id = "8, 0, 16", expect = Expect.ACCEPTABLE, desc = "the old part was still bound")
@Outcome(id = "0, 0, 16", expect = Expect.ACCEPTABLE, desc = "neither part was bound")
@Outcome(id = "8, 16, 16", expect = Expect.ACCEPTABLE, desc = "bound anew between the two uses")
@Outcome(id = "0, 16, 16", expect = Expect.ACCEPTABLE, desc = "bound anew")
@State
public class ReboundWindow {
  private final Table table = new Table();
  private final Region region = table.register(0);
  private final Window window = table.window(false);
  private final WindowOwner owner = new WindowOwner();

  /** Bound to eight bytes. */
  public ReboundWindow() {
    table.bind(window, 1, region, 8, owner);
  }

  @Actor
  public void bindsAnew() {
    table.bind(window, 2, region, 16, owner);
  }

  @Actor
  public void usesBothKeys(JJJ_Result r) {
    r.r1 = length(1);
    r.r2 = length(2);
  }

  @Arbiter
  public void result(JJJ_Result r) {
    r.r3 = length(1) + length(2);
  }

  private long length(int tag) {
    Region bound = table.keys().byRemoteKey(window.key(tag));
    return bound == null ? 0 : bound.length();
  }
}
