package dev.verbena.jcstress.keys;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.Window;
import dev.verbena.soft.memory.WindowOwner;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A window is invalidated by its owner and by the peer at once: one of them does it, and a bind
 * works after that.
 */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the first one")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "the second one")
@State
public class InvalidatedOnce {
  private final Table table = new Table();
  private final Region region = table.register(0);
  private final Window window = table.window(true);
  private final WindowOwner owner = new WindowOwner();

  /** Bound. */
  public InvalidatedOnce() {
    table.bind(window, 1, region, 8, owner);
  }

  private int invalidate() {
    AccessFault fault = table.windows().invalidate(window.key(1), Table.DOMAIN, owner);
    return fault == AccessFault.NONE ? 1 : 0;
  }

  @Actor
  public void invalidates(III_Result r) {
    r.r1 = invalidate();
  }

  @Actor
  public void invalidatesToo(III_Result r) {
    r.r2 = invalidate();
  }

  @Arbiter
  public void result(III_Result r) {
    r.r3 = table.bind(window, 2, region, 8, owner) ? 1 : 0;
  }
}
