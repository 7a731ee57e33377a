package dev.verbena.jcstress.devices;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A region is deregistered while a peer writes to it: when the call has returned, nobody touches
 * the memory any more.
 */
@JCStressTest
@Outcome(id = "SUCCESS, true", expect = Expect.ACCEPTABLE, desc = "written before")
@Outcome(id = "REM_ACCESS_ERR, true", expect = Expect.ACCEPTABLE, desc = "deregistered before")
@State
public class DeregisteredRegion {
  private static final int BYTES = 1 << 16;

  private final MemorySegment memory = Arena.ofAuto().allocate(BYTES);
  private final MemoryRegion region =
      Line.domain().regMr(memory, Access.LOCAL_WRITE, Access.REMOTE_WRITE);

  /** The peer knows the key from before. */
  private final int rkey = region.rkey();

  private final long address = region.addr();
  private final Line line = Line.take();

  @Actor
  public void writes() {
    line.write(rkey, address, BYTES);
  }

  @Actor
  public void deregisters(LL_Result r) {
    region.dereg();
    byte last = memory.get(ValueLayout.JAVA_BYTE, BYTES - 1);
    // What is stored now stays, unless somebody still writes.
    memory.set(ValueLayout.JAVA_BYTE, BYTES - 1, (byte) (last + 1));
    r.r2 = last;
  }

  @Arbiter
  public void result(LL_Result r) {
    WcStatus status = line.await();
    r.r1 = status;
    byte last = memory.get(ValueLayout.JAVA_BYTE, BYTES - 1);
    byte expected = (byte) (status == WcStatus.SUCCESS ? 2 : 1);
    r.r2 = last == expected && r.r2.equals((byte) (expected - 1));
    line.giveBack();
  }
}
