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
import org.openjdk.jcstress.infra.results.IIII_Result;

/** Two queue pairs bind a window of type 2: one of them has it, and only that one may use it. */
@JCStressTest
@Outcome(id = "1, 0, 1, 0", expect = Expect.ACCEPTABLE, desc = "the first one")
@Outcome(id = "0, 1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the second one")
@State
public class BoundOnce {
  private final Table table = new Table();
  private final Region region = table.register(0);
  private final Window window = table.window(true);
  private final WindowOwner one = new WindowOwner();
  private final WindowOwner other = new WindowOwner();

  @Actor
  public void binds(IIII_Result r) {
    r.r1 = table.bind(window, 1, region, 8, one) ? 1 : 0;
  }

  @Actor
  public void bindsToo(IIII_Result r) {
    r.r2 = table.bind(window, 1, region, 8, other) ? 1 : 0;
  }

  @Arbiter
  public void result(IIII_Result r) {
    Region bound = table.keys().byRemoteKey(window.key(1));
    r.r3 = Use.of(bound, one);
    r.r4 = Use.of(bound, other);
  }
}
