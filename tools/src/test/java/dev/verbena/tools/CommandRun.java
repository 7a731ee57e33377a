package dev.verbena.tools;

import dev.verbena.tools.kit.Ticker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** A run of the command inside this process, with what it printed. */
public final class CommandRun {
  private static final long SECONDS = 60;

  /** However long a run is, it tells nothing of its progress. */
  private static final Ticker SILENT = (_, _) -> () -> {};

  private final Captured out = new Captured();
  private final StringWriter err = new StringWriter();
  private final Ticker ticker;
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

  private CommandRun(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Runs it to its end. */
  public static CommandRun of(String... args) {
    CommandRun run = new CommandRun(SILENT);
    run.execute(args);
    return run;
  }

  /** Starts it on a thread of its own. */
  public static CommandRun start(String... args) {
    return start(SILENT, args);
  }

  /** Starts it so that it tells its progress when this says so. */
  public static CommandRun start(Ticker ticker, String... args) {
    CommandRun run = new CommandRun(ticker);
    Thread.ofPlatform().daemon().name(String.join(" ", args)).start(() -> run.execute(args));
    return run;
  }

  /** Waits for its end. */
  public int exitCode() throws Exception {
    return exitCode.get(SECONDS, TimeUnit.SECONDS);
  }

  /** Waits for a line of output that fits; fails if the command ends without it. */
  public String awaitLine(Predicate<String> wanted) throws InterruptedException {
    return out.await(wanted);
  }

  public String out() {
    return String.join("\n", out.lines());
  }

  public String err() {
    return err.toString();
  }

  private void execute(String... args) {
    try {
      int code =
          Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), ticker)
              .execute(args);
      exitCode.complete(code);
    } catch (RuntimeException | Error e) {
      exitCode.completeExceptionally(e);
    } finally {
      out.close();
    }
  }

  /** Output as lines that another thread can wait for. */
  private static final class Captured extends StringWriter {
    private final ReentrantLock lines = new ReentrantLock();
    private final Condition changed = lines.newCondition();
    private boolean ended;

    List<String> lines() {
      return new ArrayList<>(toString().lines().toList());
    }

    @Override
    public void flush() {
      signal(false);
    }

    @Override
    public void close() {
      signal(true);
    }

    String await(Predicate<String> wanted) throws InterruptedException {
      long left = TimeUnit.SECONDS.toNanos(SECONDS);
      lines.lock();
      try {
        while (true) {
          for (String line : lines()) {
            if (wanted.test(line)) {
              return line;
            }
          }
          if (ended || left <= 0) {
            throw new AssertionError("no such line in:\n" + this);
          }
          left = changed.awaitNanos(left);
        }
      } finally {
        lines.unlock();
      }
    }

    private void signal(boolean end) {
      lines.lock();
      try {
        ended |= end;
        changed.signalAll();
      } finally {
        lines.unlock();
      }
    }
  }
}
