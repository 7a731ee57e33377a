package dev.verbena.soft.link.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkContract;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemoryLinkTest extends LinkContract {
  private final MemoryNetwork network = new MemoryNetwork();

  @Override
  protected Link open(Gid address, LinkCounters counters) {
    return network.open(Gids.address(address), counters);
  }

  @Test
  void hopLimitAndTrafficClassArrive() {
    Route route = new Route(b.address(), 0x2A, 7, 0);
    assertThat(a.send(Endpoint.datagram(8, 1), 8, route, 0)).isTrue();
    inboxB.expect(b, 1);
    assertThat(inboxB.mails.getFirst().ttl()).isEqualTo(7);
    assertThat(inboxB.mails.getFirst().tos()).isEqualTo(0x2A);
  }

  @Test
  void aMemberWithAFullQueueLosesAndTheOthersDoNot() {
    Gid group = Endpoint.unusedGroup();
    Endpoint.join(a, group);
    Endpoint.join(b, group);
    int more = 3;
    for (int i = 0; i < MemoryLink.QUEUE_LENGTH + more; i++) {
      assertThat(Endpoint.send(a, group, Endpoint.datagram(8, i))).isTrue();
      assertThat(a.receive(inboxA, 1, 0)).isEqualTo(1);
    }
    assertThat(inboxA.count(Counter.SOCKET_OVERFLOWS)).isZero();
    assertThat(inboxB.count(Counter.SOCKET_OVERFLOWS)).isEqualTo(more);
    inboxB.expect(b, MemoryLink.QUEUE_LENGTH);
    assertThat(b.receive(inboxB, 1, 0)).isZero();
    assertThat(Endpoint.send(a, group, Endpoint.datagram(8, 1))).isTrue();
    inboxB.expect(b, MemoryLink.QUEUE_LENGTH + 1);
  }

  @Test
  void anAddressHasOneLink() {
    Gid address = Gids.gid(a.address());
    assertThatThrownBy(() -> open(address, inboxA))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining(a.address().toString())
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(Errno.EADDRINUSE);
  }

  @Test
  void aFullReceiverRefusesAndWakesTheSenderOnceThereIsRoom() {
    MemorySegment datagram = Endpoint.datagram(64, 1);
    for (int i = 0; i < MemoryLink.QUEUE_LENGTH; i++) {
      assertThat(Endpoint.send(a, b, datagram)).isTrue();
    }
    assertThat(Endpoint.send(a, b, datagram)).isFalse();
    assertThat(inboxA.count(Counter.SEND_BLOCKED)).isEqualTo(1);
    assertThat(b.receive(inboxB, 1, 0)).isEqualTo(1);
    a.await(Long.MAX_VALUE);
    assertThat(Endpoint.send(a, b, datagram)).isTrue();
    assertThat(Endpoint.send(a, b, datagram)).isFalse();
    b.close();
    a.await(Long.MAX_VALUE);
    assertThat(Endpoint.send(a, b, datagram)).isTrue();
  }

  @Test
  void manySendersLoseAndRepeatNothing() throws InterruptedException {
    int senders = 4;
    int each = 20_000;
    List<Thread> threads = new ArrayList<>();
    AtomicInteger blocked = new AtomicInteger();
    for (int s = 0; s < senders; s++) {
      int sender = s;
      Link link = open(Endpoint.unused(), (counter, count) -> blocked.addAndGet((int) count));
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    MemorySegment datagram = Endpoint.datagram(8, 0);
                    for (int i = 0; i < each; i++) {
                      datagram.set(ValueLayout.JAVA_INT, 0, sender);
                      datagram.set(ValueLayout.JAVA_INT, 4, i);
                      while (!Endpoint.send(link, b, datagram)) {
                        link.await(Duration.ofSeconds(10).toNanos());
                      }
                    }
                  }));
    }
    int[] next = new int[senders];
    Receiver inOrder =
        (arrival, now) -> {
          MemorySegment datagram = arrival.datagram;
          int sender = datagram.get(ValueLayout.JAVA_INT, 0);
          assertThat(datagram.get(ValueLayout.JAVA_INT, 4)).isEqualTo(next[sender]++);
        };
    long start = System.nanoTime();
    for (int total = 0; total < senders * each; ) {
      int got = b.receive(inOrder, 64, 0);
      total += got;
      if (got == 0) {
        b.await(Duration.ofSeconds(1).toNanos());
      }
      assertThat(System.nanoTime() - start).isLessThan(Duration.ofSeconds(60).toNanos());
    }
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
    }
    assertThat(next).containsOnly(each);
  }
}
