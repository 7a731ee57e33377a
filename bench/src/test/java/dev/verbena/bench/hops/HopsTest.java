package dev.verbena.bench.hops;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The way of a WRITE gets longer on purpose only: docs/internals/hops.md. */
@Execution(ExecutionMode.SAME_THREAD) // there is one recorder
class HopsTest {
  private static final int MOST_ENTRIES = 170;
  private static final int MOST_CLASSES = 40;
  private static final int MOST_DEPTH = 16;
  private static final int MOST_ENTRIES_UDP = 500;

  @Test
  void aWriteOnTheLoopbackTakesNoMoreMethodsThanItDid() throws Exception {
    Trace trace = Hops.usual("auto").trace();
    String methods = String.join("\n", trace.lines());
    assertThat(trace.entries()).as(methods).isLessThanOrEqualTo(MOST_ENTRIES);
    assertThat(trace.classes()).as(methods).isLessThanOrEqualTo(MOST_CLASSES);
    assertThat(trace.depth()).as(methods).isLessThanOrEqualTo(MOST_DEPTH);
  }

  @Test
  void aWriteOverUdpTakesNoMoreMethodsThanItDid() throws Exception {
    // The usual way varies, for threads that wait for a guard make it longer; the shortest does
    // not, but is rare while other programs run.
    Trace trace = Hops.usual("udp", MOST_ENTRIES_UDP).shortest();
    assertThat(trace.entries())
        .as(String.join("\n", trace.lines()))
        .isLessThanOrEqualTo(MOST_ENTRIES_UDP);
  }
}
