package dev.verbena.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.EventType;
import org.junit.jupiter.api.Test;

final class AsyncwatchTest {
  @Test
  void theLineOfAnEventIsThatOfTheCProgram() {
    assertThat(AsyncwatchCommand.line(new AsyncEvent(null, EventType.PORT_ERR, null, 1, () -> {})))
        .isEqualTo("  event_type IBV_EVENT_PORT_ERR (10), port 1");
    assertThat(
            AsyncwatchCommand.line(new AsyncEvent(null, EventType.DEVICE_FATAL, null, 0, () -> {})))
        .isEqualTo("  event_type IBV_EVENT_DEVICE_FATAL (8), port 0");
  }

  @Test
  void itSaysThatItWaits() throws Exception {
    String address = TestAddresses.next();
    CommandRun run = CommandRun.start("asyncwatch", "-d", "soft:" + address);

    assertThat(run.awaitLine(line -> line.contains("waiting for asynchronous events")))
        .startsWith("soft_" + address.replace('.', '_'));
  }

  @Test
  void aNegativeCountIsWrongUsage() throws Exception {
    CommandRun run = CommandRun.of("asyncwatch", "-n", "-1");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--count=-1 is not in 0 to");
  }
}
