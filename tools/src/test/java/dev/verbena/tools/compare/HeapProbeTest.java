package dev.verbena.tools.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated // What other tests of the process let go of would count.
final class HeapProbeTest {
  @Test
  void aQueuePairTakesRoomOnTheHeap() throws Exception {
    String[] probe = {"many-memory", "--pairs=100"};
    CommandRun run =
        CommandRun.of(CompareCommandTest.command(probe, CompareCommandTest.device("")));

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(CompareCommandTest.figure(List.of(run))).isPositive();
  }
}
