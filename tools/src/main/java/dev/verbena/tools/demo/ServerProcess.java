package dev.verbena.tools.demo;

import dev.verbena.tools.kit.ToolException;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The server process: starts it, reads its port, and ends it when closed. */
final class ServerProcess implements AutoCloseable {
  private static final int LINES_KEPT = 60;
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Process process;
  private final Thread errorReader;
  private final Deque<String> errors = new ArrayDeque<>();

  private ServerProcess(Process process) {
    this.process = process;
    errorReader = Thread.ofVirtual().name("demo-server-stderr").start(this::keepErrors);
  }

  /** Starts the process. */
  static ServerProcess start(Iterable<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder();
    command.forEach(builder.command()::add);
    return new ServerProcess(builder.start());
  }

  long pid() {
    return process.pid();
  }

  /**
   * Waits for the line with the TCP port.
   *
   * @throws ToolException if it does not arrive, with the process's output instead
   */
  int awaitPort(Duration patience) throws InterruptedException {
    CompletableFuture<@Nullable String> line = new CompletableFuture<>();
    Thread.ofVirtual().name("demo-server-stdout").start(() -> readLine(line));
    try {
      String text = line.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      if (text == null) {
        throw failure("gave no port");
      }
      if (!text.startsWith(DemoServerCommand.PORT_PREFIX)) {
        throw failure("said '" + text + "' where its port was expected");
      }
      return Integer.parseInt(text.substring(DemoServerCommand.PORT_PREFIX.length()));
    } catch (TimeoutException e) {
      throw failure("gave no port within " + patience.toMillis() + " ms");
    } catch (ExecutionException | NumberFormatException e) {
      throw failure("gave no port: " + e.getMessage());
    }
  }

  /**
   * The failure to report when the server misbehaves: what it has said itself, as that is usually
   * the reason, and whether it is still running.
   */
  ToolException failure(String what) throws InterruptedException {
    StringBuilder text = new StringBuilder();
    String end;
    if (process.waitFor(GRACE)) {
      errorReader.join();
      end = "ended with exit code " + process.exitValue();
    } else {
      end = "is still running, and will be stopped";
    }
    synchronized (errors) {
      errors.forEach(line -> text.append(line).append(System.lineSeparator()));
    }
    text.append("the server process (pid %d) %s; it %s".formatted(pid(), what, end));
    return ToolException.failure(text.toString());
  }

  /** Gives it a moment to end by itself, then kills it. */
  @Override
  public void close() {
    try {
      if (process.waitFor(GRACE)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }

  private void readLine(CompletableFuture<@Nullable String> line) {
    BufferedReader reader = process.inputReader();
    try {
      line.complete(reader.readLine());
    } catch (IOException e) {
      line.completeExceptionally(e);
    }
  }

  private void keepErrors() {
    try (BufferedReader reader = process.errorReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (errors) {
          errors.add(line);
          if (errors.size() > LINES_KEPT) {
            errors.remove();
          }
        }
      }
    } catch (IOException e) {
      synchronized (errors) {
        errors.add("(its error output broke off: " + e.getMessage() + ")");
      }
    }
  }
}
