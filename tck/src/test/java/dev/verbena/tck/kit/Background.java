package dev.verbena.tck.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A call on its own thread, which may block. */
public final class Background<T extends @Nullable Object> {
  private final FutureTask<T> task;
  private final Thread thread;

  private Background(Callable<T> call) {
    task = new FutureTask<>(call);
    thread = Thread.ofPlatform().daemon().start(task);
  }

  /** Starts the call. */
  public static <T extends @Nullable Object> Background<T> call(Callable<T> call) {
    return new Background<>(call);
  }

  /** Starts something without a result. */
  public static Background<Void> run(ThrowingRunnable action) {
    return new Background<>(
        () -> {
          action.run();
          return null;
        });
  }

  /**
   * Waits until the thread is parked, blocked or in a selector, and checks that the call has not
   * returned.
   */
  public Background<T> awaitBlocked() {
    Await.until(
        () -> "the call to block; its thread is " + thread.getState(),
        () ->
            task.isDone()
                || switch (thread.getState()) {
                  case WAITING, TIMED_WAITING, BLOCKED -> true;
                  case RUNNABLE -> selects();
                  default -> false;
                });
    assertThat(task.isDone()).as("the call returned, it should wait").isFalse();
    return this;
  }

  /** Whether the thread sleeps in a selector, which Java counts as running. */
  private boolean selects() {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0
        && stack[0].isNativeMethod()
        && stack[0].getClassName().startsWith("sun.nio.ch.");
  }

  /** Interrupts the call. */
  public void interrupt() {
    thread.interrupt();
  }

  /** The result; an exception of the call is rethrown as it is. */
  public T result() throws Exception {
    try {
      return task.get(Await.DEADLINE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception exception) {
        throw exception;
      }
      throw e;
    } catch (TimeoutException e) {
      return fail("the call still waits after " + Await.DEADLINE, e);
    }
  }

  /** An action that may throw anything checked. */
  public interface ThrowingRunnable {
    /** Runs it. */
    void run() throws Exception;
  }
}
