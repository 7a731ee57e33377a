package dev.verbena.tools.compare;

import dev.verbena.tools.kit.ToolException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** A process that a trial starts, with its output. It ends with the trial. */
final class Child implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration POLL = Duration.ofMillis(10);
  private static final List<Path> SOCKETS =
      List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

  /** Those that run; they end with this process, also if a signal ends it. */
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private final List<String> command;
  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private final CompletableFuture<List<String>> end = new CompletableFuture<>();

  private Child(List<String> command, Process process) {
    this.command = command;
    this.process = process;
    RUNNING.add(process);
    Thread.ofPlatform().daemon().name("compare-reader").start(this::read);
  }

  /** Starts a program. */
  static Child start(List<String> command, String... environment) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    for (String each : environment) {
      int at = each.indexOf('=');
      builder.environment().put(each.substring(0, at), each.substring(at + 1));
    }
    try {
      return new Child(command, builder.start());
    } catch (IOException e) {
      throw new Subject.Unavailable(command.getFirst() + " cannot be run: " + e.getMessage());
    }
  }

  /** A free TCP port, for a program that cannot choose one. */
  static String freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return Integer.toString(socket.getLocalPort());
    } catch (IOException e) {
      throw ToolException.failure("no TCP port is free", e);
    }
  }

  /** Waits for a line, while the program continues. */
  String awaitLine(Predicate<String> wanted) throws InterruptedException {
    return awaitLines(1, wanted).getFirst();
  }

  /** Waits for this many lines, while the program continues. */
  List<String> awaitLines(int count, Predicate<String> wanted) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    synchronized (lines) {
      while (true) {
        List<String> found = lines.stream().filter(wanted).limit(count).toList();
        if (found.size() == count) {
          return found;
        }
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0 || end.isDone()) {
          throw failure("did not say what was expected");
        }
        lines.wait(left);
      }
    }
  }

  /** Waits until the program listens, because programs in C buffer their output until they end. */
  void awaitListening(String port) throws InterruptedException {
    Pattern row =
        Pattern.compile("(?m)^ *\\d+: \\w+:%04X \\w+:0000 0A ".formatted(Integer.valueOf(port)));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (SOCKETS.stream().noneMatch(table -> row.matcher(text(table)).find())) {
      if (process.waitFor(POLL) || System.nanoTime() - deadline > 0) {
        throw failure("did not listen on port " + port);
      }
    }
  }

  /** The text of a kernel table; empty if there is none, as without IPv6. */
  private static String text(Path table) {
    try {
      return Files.exists(table) ? Files.readString(table) : "";
    } catch (IOException e) {
      throw ToolException.failure("cannot read " + table, e);
    }
  }

  /** Waits for the end, which must be successful. */
  List<String> finish() throws InterruptedException {
    try {
      List<String> all = end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (process.waitFor() != 0) {
        throw failure("ended with exit code " + process.exitValue());
      }
      return all;
    } catch (TimeoutException | ExecutionException e) {
      throw failure("did not end within " + PATIENCE.toSeconds() + " s");
    }
  }

  private ToolException failure(String what) {
    String last;
    synchronized (lines) {
      last = lines.isEmpty() ? "nothing" : "'" + lines.getLast() + "'";
    }
    return ToolException.failure(
        "%s %s; the last that it printed is %s"
            .formatted(
                String.join(" ", command.subList(Math.max(0, command.size() - 8), command.size())),
                what,
                last));
  }

  private void read() {
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (lines) {
          lines.add(line);
          lines.notifyAll();
        }
      }
    } catch (IOException e) {
      add("(its output broke off: " + e.getMessage() + ")");
    }
    synchronized (lines) {
      end.complete(List.copyOf(lines));
      lines.notifyAll();
    }
  }

  private void add(String line) {
    synchronized (lines) {
      lines.add(line);
    }
  }

  /** Returns when the process has ended, and nobody uses its files any more. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    RUNNING.remove(process);
  }
}
