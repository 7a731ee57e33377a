package dev.verbena.tools.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.kit.JavaCommand;
import java.io.BufferedReader;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs a POSIX shell")
final class ChildTest {
  /** Starts a program that does not end by itself, tells its number, and waits. */
  public static final class Parent {
    private Parent() {}

    public static void main(String[] args) throws InterruptedException {
      try (Child child = Child.start(List.of("/bin/sh", "-c", "echo $$; exec sleep 600"))) {
        System.out.println(child.awaitLine(_ -> true));
        child.finish();
      }
    }
  }

  @Test
  void aProgramEndsWithTheProcessThatHasStartedItIfASignalEndsThat() throws Exception {
    Process parent = new ProcessBuilder(JavaCommand.of(Parent.class, List.of())).start();
    try (BufferedReader lines = parent.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
      try {
        parent.destroy();
        child.onExit().get(20, TimeUnit.SECONDS);
        assertThat(child.isAlive()).isFalse();
      } finally {
        child.destroyForcibly();
      }
    } finally {
      parent.destroyForcibly();
    }
  }
}
