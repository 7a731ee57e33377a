package dev.verbena.soft.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReadyListTest {
  private static final int ITEMS = 50;
  private static final int ROUNDS = 20_000;

  @Test
  void firstInIsFirstOutAndNobodyIsOnItTwice() {
    ReadyList<String> list = new ReadyList<>();
    ReadyList.Node<String> a = new ReadyList.Node<>("a");
    ReadyList.Node<String> b = new ReadyList.Node<>("b");
    assertThat(list.add(a)).isTrue();
    assertThat(list.add(b)).isTrue();
    assertThat(list.add(a)).isFalse();
    assertThat(list.size).isEqualTo(2);
    assertThat(list.poll()).isEqualTo("a");
    assertThat(list.add(a)).isTrue();
    assertThat(list.poll()).isEqualTo("b");
    assertThat(list.poll()).isEqualTo("a");
    assertThat(list.poll()).isNull();
    assertThat(list.size).isZero();
  }

  /** The thread that takes an item finds all work noted before the item was added. */
  @Test
  void noWorkIsLostBetweenThreads() throws InterruptedException {
    ReadyList<Integer> list = new ReadyList<>();
    AtomicIntegerArray work = new AtomicIntegerArray(ITEMS);
    AtomicIntegerArray done = new AtomicIntegerArray(ITEMS);
    List<ReadyList.Node<Integer>> nodes = new ArrayList<>();
    for (int i = 0; i < ITEMS; i++) {
      nodes.add(new ReadyList.Node<>(i));
    }
    List<Thread> producers = new ArrayList<>();
    for (int p = 0; p < 2; p++) {
      producers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < ROUNDS; i++) {
                      int item = i % ITEMS;
                      work.incrementAndGet(item);
                      list.add(nodes.get(item));
                    }
                  }));
    }
    Thread consumer = Thread.ofPlatform().start(() -> consume(list, work, done, producers));
    consume(list, work, done, producers);
    consumer.join();
    int sum = 0;
    for (int i = 0; i < ITEMS; i++) {
      sum += done.get(i);
      assertThat(work.get(i)).isZero();
    }
    assertThat(sum).isEqualTo(2 * ROUNDS);
  }

  private static void consume(
      ReadyList<Integer> list,
      AtomicIntegerArray work,
      AtomicIntegerArray done,
      List<Thread> producers) {
    boolean alive = true;
    while (alive || list.size > 0) {
      alive = producers.stream().anyMatch(Thread::isAlive);
      Integer item = list.poll();
      if (item != null) {
        done.addAndGet(item, work.getAndSet(item, 0));
      }
    }
  }
}
