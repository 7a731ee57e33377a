package dev.verbena.bench.hops;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records the methods entered by the thread that called {@link #start}. */
public final class Recorder {
  private static final int LIMIT = 1 << 16;

  private static final List<String> names = new ArrayList<>();
  private static final int[] entered = new int[LIMIT];
  private static final int[] depths = new int[LIMIT];
  private static volatile @Nullable Thread recorded;
  private static int count;
  private static int depth;
  private static volatile boolean isHelped;

  private Recorder() {}

  /** The number that identifies a method for {@link #enter}. */
  static synchronized int number(String method) {
    names.add(method);
    return names.size() - 1;
  }

  /** Called at the beginning of each method. */
  public static void enter(int method) {
    Thread thread = recorded;
    if (thread == null) {
      return;
    }
    if (!Thread.currentThread().equals(thread)) {
      isHelped = true;
    } else if (count < LIMIT) {
      depth++;
      entered[count] = method;
      depths[count] = depth;
      count++;
    }
  }

  /** Called before each return. */
  public static void exit() {
    if (Thread.currentThread().equals(recorded)) {
      depth--;
    }
  }

  static void start() {
    count = 0;
    depth = 0;
    isHelped = false;
    recorded = Thread.currentThread();
  }

  /** The current length of the record. */
  public static int mark() {
    return count;
  }

  /** Drops what was recorded since a mark, because it had no effect. */
  public static void rewind(int mark) {
    count = mark;
  }

  /** Whether another thread of ours worked, and may have done a part. */
  static boolean isHelped() {
    return isHelped;
  }

  static synchronized Trace stop() {
    recorded = null;
    if (count == LIMIT) {
      throw new IllegalStateException("more than " + LIMIT + " methods entered");
    }
    List<String> methods = Arrays.stream(entered, 0, count).mapToObj(names::get).toList();
    return new Trace(methods, Arrays.stream(depths, 0, count).boxed().toList());
  }
}
