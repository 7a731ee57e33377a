package dev.verbena.bench.hops;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prints how many methods are entered, how many classes met and how deep the stack grows from
 * {@code wrStart} to the completion of one RC WRITE of 5 bytes, on the loopback and over UDP.
 *
 * <p>Only Verbena's own code counts, and only rounds in which no other thread was at work; the
 * figure is that of most of them. With an argument the entered methods are listed, too, in their
 * order, indented by their depth.
 */
public final class Hops {
  private static final int ROUNDS = 2_000;

  /** So many if another thread was at work in all of those. */
  private static final int MOST_ROUNDS = 100_000;

  private static final int WARM_UP = 10_000;
  private static final String WRITES = "dev.verbena.bench.hops.OneWrite";

  private Hops() {}

  /** Counts both links; {@code -v} lists the methods. */
  public static void main(String[] args) throws Exception {
    boolean lists = args.length > 0;
    System.out.printf("%-10s %8s %8s %6s %8s%n", "link", "entries", "classes", "depth", "rounds");
    for (String link : new String[] {"auto", "udp"}) {
      Usual usual = usual(link);
      Trace trace = usual.trace();
      System.out.printf(
          "%-10s %8d %8d %6d %7d%%%n",
          link.equals("auto") ? "loopback" : link,
          trace.entries(),
          trace.classes(),
          trace.depth(),
          100 * usual.rounds() / ROUNDS);
      if (lists) {
        trace.lines().forEach(System.out::println);
      }
    }
  }

  /** The trace that most rounds have left, how many that are, and the shortest trace. */
  record Usual(Trace trace, int rounds, Trace shortest) {}

  /** Counts the rounds of one kind of link. */
  static Usual usual(String link) throws Exception {
    return usual(link, Integer.MAX_VALUE);
  }

  /**
   * Counts the rounds of one kind of link, and goes on for a while until one was not longer than
   * this, because on a busy computer other threads may take part in most.
   */
  static Usual usual(String link, int entries) throws Exception {
    ClassLoader loader = new CountingLoader(Hops.class.getClassLoader());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // The device is found, and loaded, by the loader of the thread.
    thread.setContextClassLoader(loader);
    try {
      return usual(loader, link, entries);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static Usual usual(ClassLoader loader, String link, int entries) throws Exception {
    boolean found = false;
    Map<String, Integer> rounds = new TreeMap<>();
    Map<String, Trace> traces = new TreeMap<>();
    Class<?> type = loader.loadClass(WRITES);
    try (AutoCloseable writes =
        (AutoCloseable) type.getConstructor(String.class).newInstance(link)) {
      Runnable write = (Runnable) writes;
      for (int i = 0; i < WARM_UP; i++) {
        write.run();
      }
      for (int i = 0; i < ROUNDS || (!found && i < MOST_ROUNDS); i++) {
        Recorder.start();
        write.run();
        Trace trace = Recorder.stop();
        if (Recorder.isHelped()) {
          continue;
        }
        rounds.merge(trace.key(), 1, Integer::sum);
        traces.putIfAbsent(trace.key(), trace);
        found |= trace.entries() <= entries;
      }
    }
    List<String> keys = new ArrayList<>(rounds.keySet());
    keys.sort((a, b) -> rounds.getOrDefault(b, 0) - rounds.getOrDefault(a, 0));
    if (keys.isEmpty()) {
      throw new IllegalStateException("another thread was at work in each round");
    }
    String most = keys.getFirst();
    Trace trace = traces.get(most);
    if (trace == null) {
      throw new AssertionError("no trace of " + most);
    }
    Trace shortest = Collections.min(traces.values(), Comparator.comparingInt(Trace::entries));
    return new Usual(trace, rounds.getOrDefault(most, 0), shortest);
  }
}
