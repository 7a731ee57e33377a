package dev.verbena.jcstress.devices;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import java.lang.foreign.Arena;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * The arena of a region is closed while a peer writes to it: no thread fails, and the peer is told.
 */
@JCStressTest
@Outcome(id = "SUCCESS", expect = Expect.ACCEPTABLE, desc = "written before")
@Outcome(id = "REM_ACCESS_ERR", expect = Expect.ACCEPTABLE, desc = "closed before")
@State
public class ClosedArena {
  private static final int BYTES = 4096;

  private final Arena arena = Arena.ofShared();
  private final MemoryRegion region =
      Line.domain().regMr(arena.allocate(BYTES), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
  private final Line line = Line.take();

  @Actor
  public void writes() {
    line.write(region.rkey(), region.addr(), BYTES);
  }

  @Actor
  public void closes() {
    arena.close();
  }

  @Arbiter
  public void result(L_Result r) {
    r.r1 = line.await();
    region.close();
    line.giveBack();
  }
}
