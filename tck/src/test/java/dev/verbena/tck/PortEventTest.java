package dev.verbena.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.proofs.Proves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events of a port go to every context of its device: S10.5. */
final class PortEventTest {

  @Test
  @Proves("S10.5")
  void everyContextIsToldThatThePortWentDownAndCameUp() throws Exception {
    assumeTrue(
        canUnshareTheNetwork(),
        "needs unshare -n and ip, to take a network interface down without harm");
    List<String> command = new ArrayList<>(List.of("unshare", "-n"));
    command.addAll(ChildProcess.javaMain(PortWatcher.class, "10.99.0.1"));
    try (ChildProcess child = ChildProcess.run(command)) {
      int exitCode = child.exitCode();
      assertThat(exitCode).as(child.output()).isZero();
      assertThat(child.output()).contains("both contexts were told");
    }
  }

  private static boolean canUnshareTheNetwork() throws InterruptedException {
    try (ChildProcess probe =
        ChildProcess.run(List.of("unshare", "-n", "ip", "link", "set", "lo", "up"))) {
      return probe.exitCode() == 0;
    } catch (IOException absent) {
      return false;
    }
  }
}
