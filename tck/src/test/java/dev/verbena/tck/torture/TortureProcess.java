package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.ChildProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process with the right ends of the lanes, which can be stopped, continued and killed. */
final class TortureProcess implements AutoCloseable {
  /** How long a JVM may take to start on a very busy computer. */
  private static final Duration START = Duration.ofSeconds(60);

  private static final Pattern LISTENING =
      Pattern.compile("^listening on port (\\d+)$", Pattern.MULTILINE);

  private final ChildProcess child;

  private TortureProcess(ChildProcess child) {
    this.child = child;
  }

  /** Launches one with its device at this address. */
  static TortureProcess launch(String address) throws IOException {
    return new TortureProcess(
        ChildProcess.startMain(Torture.class, "serve=0", "right=soft:" + address + "?link=udp"));
  }

  /** Starts one, and waits until it listens. */
  static TortureProcess start(String address) throws IOException {
    TortureProcess process = launch(address);
    try {
      Await.until(START, () -> "the target process; it wrote " + process, process::isListening);
      return process;
    } catch (RuntimeException | Error failure) {
      process.close();
      throw failure;
    }
  }

  /** Whether it can be called by now. */
  boolean isListening() {
    boolean alive = child.isAlive();
    boolean listening = LISTENING.matcher(child.output()).find();
    assertThat(alive || listening).as("the target process runs: %s", this).isTrue();
    return listening;
  }

  /** Where it listens. */
  String port() {
    Matcher line = LISTENING.matcher(child.output());
    assertThat(line.find()).as(child.output()).isTrue();
    return line.group(1);
  }

  /** How many lanes have called it. */
  long calls() {
    return child.output().lines().filter(line -> line.startsWith("a call for lane ")).count();
  }

  /** Checks that it still runs; it ends on its own only if it has found a mistake. */
  void assertContent() {
    assertThat(child.isAlive()).as(child.output()).isTrue();
  }

  /** Stops it, so that it neither answers nor notices anything. */
  void stop() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** Lets it continue. */
  void resume() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    int exitCode = new ProcessBuilder("kill", signal, "" + child.pid()).start().waitFor();
    if (exitCode != 0) {
      throw new AssertionError("kill " + signal + " ended with " + exitCode);
    }
  }

  /** Kills it without warning. */
  void kill() throws InterruptedException {
    child.kill();
  }

  @Override
  public void close() throws IOException {
    child.close();
  }

  @Override
  public String toString() {
    return child.output();
  }
}
