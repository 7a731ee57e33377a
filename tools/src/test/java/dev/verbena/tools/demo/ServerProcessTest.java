package dev.verbena.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.tools.kit.ToolException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Shell scripts stand for servers that go wrong. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs a POSIX shell")
final class ServerProcessTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void thePortIsReadFromTheFirstLine() throws Exception {
    try (ServerProcess server = shell("echo port 12345")) {
      assertThat(server.awaitPort(LONG)).isEqualTo(12345);
    }
  }

  @Test
  void aServerThatDiesIsReportedByItsOwnWordsFirst() throws Exception {
    try (ServerProcess server = shell("echo no such device >&2; exit 3")) {
      assertThatThrownBy(() -> server.awaitPort(LONG))
          .isInstanceOf(ToolException.class)
          .hasMessage(
              "no such device%nthe server process (pid %d) gave no port; it ended with exit code 3"
                  .formatted(server.pid()));
    }
  }

  @Test
  void aServerThatHangsIsReportedAndStopped() throws Exception {
    ProcessHandle handle;
    try (ServerProcess server = shell("exec sleep 600")) {
      handle = ProcessHandle.of(server.pid()).orElseThrow();
      assertThatThrownBy(() -> server.awaitPort(Duration.ofMillis(50)))
          .isInstanceOf(ToolException.class)
          .hasMessageContaining("gave no port within 50 ms")
          .hasMessageContaining("still running");
    }
    handle.onExit().get(20, TimeUnit.SECONDS);
    assertThat(handle.isAlive()).isFalse();
  }

  @Test
  void aServerThatSaysSomethingElseIsReported() throws Exception {
    try (ServerProcess server = shell("echo hello")) {
      assertThatThrownBy(() -> server.awaitPort(LONG)).hasMessageContaining("said 'hello'");
    }
  }

  private static ServerProcess shell(String script) throws Exception {
    return ServerProcess.start(List.of("/bin/sh", "-c", script));
  }
}
