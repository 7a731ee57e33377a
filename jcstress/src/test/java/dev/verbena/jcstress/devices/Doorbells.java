package dev.verbena.jcstress.devices;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads post to one queue pair, and each may find its guard taken by the other: both requests
 * are executed.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both")
@State
public class Doorbells {
  private static final int WORD = 8;

  private final MemoryRegion region =
      Line.domain().allocMr(2 * WORD, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
  private final Line line = Line.take();

  @Actor
  public void posts() {
    line.write(region.rkey(), region.addr(), WORD);
  }

  @Actor
  public void postsToo() {
    line.write(region.rkey(), region.addr() + WORD, WORD);
  }

  @Arbiter
  public void result(II_Result r) {
    line.await();
    line.await();
    r.r1 = region.memory().get(ValueLayout.JAVA_BYTE, WORD - 1);
    r.r2 = region.memory().get(ValueLayout.JAVA_BYTE, 2 * WORD - 1);
    region.close();
    line.giveBack();
  }
}
