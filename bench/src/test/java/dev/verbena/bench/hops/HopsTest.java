package dev.verbena.bench.hops;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The way of a WRITE on the loopback gets longer on purpose only: docs/internals/hops.md. */
class HopsTest {
  private static final int MOST_ENTRIES = 190;
  private static final int MOST_CLASSES = 40;
  private static final int MOST_DEPTH = 16;

  @Test
  void aWriteOnTheLoopbackTakesNoMoreMethodsThanItDid() throws Exception {
    Trace trace = Hops.usual("auto").trace();
    // Over UDP the thread of the engine takes part, so that figure varies.
    String methods = String.join("\n", trace.lines());
    assertThat(trace.entries()).as(methods).isLessThanOrEqualTo(MOST_ENTRIES);
    assertThat(trace.classes()).as(methods).isLessThanOrEqualTo(MOST_CLASSES);
    assertThat(trace.depth()).as(methods).isLessThanOrEqualTo(MOST_DEPTH);
  }
}
