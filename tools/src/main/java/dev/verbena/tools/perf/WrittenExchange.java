package dev.verbena.tools.perf;

import dev.verbena.tools.kit.Idling;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.perf.figures.RunClock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/**
 * WRITEs into each other's memory, which raise no completion at the target: each end polls the last
 * byte of its own memory, which holds the low bits of the message's number and is stored after all
 * others.
 */
final class WrittenExchange implements Exchange {
  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  private final PostedExchange posts;
  private final MemorySegment source;
  private final MemorySegment target;
  private final long last;
  private final RunClock clock;
  private final Duration patience;
  private final Idling idling;

  WrittenExchange(PerfEnd end, PostedExchange posts, int size, RunClock clock, Duration patience) {
    this.posts = posts;
    this.clock = clock;
    this.patience = patience;
    Lane lane = end.lanes().getFirst();
    source = end.memory(lane.source(), size);
    target = end.memory(lane.local().vaddr(), size);
    last = size - 1L;
    idling = new Idling(patience);
  }

  @Override
  public void awaitPeer(long number) {
    byte wanted = (byte) number;
    idling.reset();
    while ((byte) BYTE.getAcquire(target, last) != wanted && !clock.isOver(System.nanoTime())) {
      if (!idling.idle()) {
        throw ToolException.failure(
            "message %d did not arrive within %d s; is the peer still running with the same options?"
                .formatted(number, patience.toSeconds()));
      }
    }
  }

  @Override
  public void post(long number) throws InterruptedException {
    source.set(ValueLayout.JAVA_BYTE, last, (byte) number);
    posts.post(number);
  }

  @Override
  public void end() {
    posts.end();
  }
}
