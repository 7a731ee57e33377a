package dev.verbena.jcstress.keys;

import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.Window;
import dev.verbena.soft.memory.WindowOwner;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two XRC targets use a window that an XRC_SEND queue pair has bound: the first one gets it. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the first one")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the second one")
@State
public class ClaimedWindow {
  private final Table table = new Table();
  private final WindowOwner one = WindowOwner.target();
  private final WindowOwner other = WindowOwner.target();
  private final Window window = table.window(true);
  private final Region bound;

  /** Bound through the initiator. */
  public ClaimedWindow() {
    table.bind(window, 1, table.register(0), 8, WindowOwner.initiator());
    Region found = table.keys().byRemoteKey(window.key(1));
    if (found == null) {
      throw new IllegalStateException("the window is not bound");
    }
    bound = found;
  }

  @Actor
  public void uses(II_Result r) {
    r.r1 = Use.of(bound, one);
  }

  @Actor
  public void usesToo(II_Result r) {
    r.r2 = Use.of(bound, other);
  }
}
