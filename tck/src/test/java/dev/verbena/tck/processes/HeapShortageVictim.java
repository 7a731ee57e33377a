package dev.verbena.tck.processes;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/**
 * A process whose heap fills up again and again, while its devices exchange packets and one of them
 * is not polled.
 */
final class HeapShortageVictim {
  /** How often the heap is full. */
  static final int TIMES = 12;

  private static final int TALKERS = 3;
  private static final int PIECE = 1 << 10;

  /**
   * Fills the heap. It is not a local variable, because compiled code may keep one without an
   * object; on return to the interpreter it would need the object, and throw, because the heap is
   * full.
   */
  private static final List<byte[]> HOG = new ArrayList<>();

  private static volatile boolean stopped;

  /** Fills the heap {@link #TIMES} times, and reports whether the devices keep working. */
  public static void main(String[] arguments) throws InterruptedException {
    TckLink link = TckLink.valueOf(arguments[0]);
    PairSetup setup = PairSetup.on(link).timeout(17);
    try (QpPair pair = setup.open()) {
      exchange(pair, 0);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < TALKERS; i++) {
        QpPair own = setup.another(pair);
        exchange(own, 0);
        threads.add(Thread.ofPlatform().start(() -> talk(own)));
      }
      int full = 0;
      for (int time = 0; time < TIMES; time++) {
        full += fill(pair) > 0 ? 1 : 0;
      }
      stopped = true;
      for (Thread thread : threads) {
        thread.join();
      }
      for (int i = 0; i < 100; i++) {
        exchange(pair, 1000 + i);
      }
      long engines =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().startsWith("verbena "))
              .filter(Thread::isAlive)
              .count();
      System.out.println("full " + full + " times");
      System.out.println("engines " + engines);
      for (QpEnd end : pair.ends()) {
        System.out.println("shortages " + end.context().counters().get(Counter.HEAP_SHORTAGES));
      }
    }
  }

  /** Keeps a queue pair busy with existing objects. */
  private static void talk(QpPair pair) {
    QpEnd left = pair.left();
    SendWr wr = SendWrs.write(1, pair.right(), 0, left.sge(0, 5000));
    WorkCompletion wc = new WorkCompletion();
    while (!stopped) {
      try {
        left.qp().postSend(wr);
        while (!left.sendCq().poll(wc) && !stopped) {
          Thread.onSpinWait();
        }
      } catch (OutOfMemoryError e) {
        // The call needed memory; the device is what this is about.
        Thread.onSpinWait();
      }
    }
  }

  /** A WRITE, a READ and an atomic, each complete. */
  private static void exchange(QpPair pair, long id) {
    QpEnd left = pair.left();
    left.qp().postSend(SendWrs.write(id, pair.right(), 0, left.sge(0, 5000)));
    left.sent(id);
    left.qp().postSend(SendWrs.read(id, pair.right(), 0, left.sge(8000, 5000)));
    left.sent(id);
    left.qp().postSend(SendWrs.fetchAdd(id, pair.right(), 0, 1, left.sge(0, 8)));
    left.sent(id);
  }

  /** Returns how many pieces, smaller and smaller ones, had no room. */
  private static int fill(QpPair pair) {
    int refused = 0;
    long until = System.nanoTime() + 100_000_000;
    int size = 1 << 20;
    while (refused == 0 || System.nanoTime() < until) {
      try {
        HOG.add(new byte[size]);
      } catch (OutOfMemoryError e) {
        refused++;
        // Down to the last bytes; then they are held for a while.
        size = Math.max(PIECE / 64, size / 2);
      }
    }
    // Only now, since it needs memory: a completion of each is due.
    HOG.clear();
    exchange(pair, 7);
    return refused;
  }

  private HeapShortageVictim() {}
}
