package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.RoceFlow;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every packet link does, over two of them. A lost wake would hang: hence the time limit. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class LinkContract {
  private static final long FOREVER = Long.MAX_VALUE;

  final Inbox inboxA = new Inbox();
  final Inbox inboxB = new Inbox();
  Link a;
  Link b;

  abstract Link open(Gid address, LinkCounters counters);

  @BeforeEach
  void openBoth() {
    a = open(Endpoint.unused(), inboxA);
    b = open(Endpoint.unused(), inboxB);
  }

  @AfterEach
  void closeBoth() {
    a.close();
    b.close();
  }

  @Test
  void datagramsArriveWholeAndSayWhereTheyComeFrom() {
    for (int length : new int[] {1, 16, 63, 64, 1024, 4096 + 16, a.maxDatagram()}) {
      MemorySegment datagram = Endpoint.datagram(length, length);
      assertThat(Endpoint.send(a, b, datagram)).isTrue();
      inboxB.mails.clear();
      inboxB.expect(b, 1);
      Inbox.Mail mail = inboxB.mails.getFirst();
      assertThat(mail.bytes()).isEqualTo(Endpoint.bytes(datagram));
      assertThat(mail.srcHi()).isEqualTo(a.localHi());
      assertThat(mail.srcLo()).isEqualTo(a.localLo());
      assertThat(mail.dstHi()).isEqualTo(b.localHi());
      assertThat(mail.dstLo()).isEqualTo(b.localLo());
      assertThat(mail.srcPort()).isEqualTo(RoceFlow.UDP_PORT);
    }
  }

  @Test
  void orderIsKeptBothWaysAndToItself() {
    for (int i = 0; i < 20; i++) {
      assertThat(Endpoint.send(a, b, Endpoint.datagram(32, i))).isTrue();
      assertThat(Endpoint.send(b, a, Endpoint.datagram(32, 100 + i))).isTrue();
      assertThat(Endpoint.send(a, a, Endpoint.datagram(32, 200 + i))).isTrue();
    }
    inboxB.expect(b, 20);
    inboxA.expect(a, 40);
    for (int i = 0; i < 20; i++) {
      assertThat(inboxB.mails.get(i).bytes()).isEqualTo(Endpoint.bytes(Endpoint.datagram(32, i)));
      assertThat(inboxA.mails.get(2 * i).bytes())
          .isEqualTo(Endpoint.bytes(Endpoint.datagram(32, 100 + i)));
      assertThat(inboxA.mails.get(2 * i + 1).bytes())
          .isEqualTo(Endpoint.bytes(Endpoint.datagram(32, 200 + i)));
    }
  }

  @Test
  void receiveHandsOverNoMoreThanAsked() {
    for (int i = 0; i < 3; i++) {
      assertThat(Endpoint.send(a, b, Endpoint.datagram(8, i))).isTrue();
    }
    inboxB.expect(b, 1);
    assertThat(b.receive(inboxB, 1, 0)).isEqualTo(1);
    assertThat(b.receive(inboxB, 5, 0)).isEqualTo(1);
    assertThat(b.receive(inboxB, 5, 0)).isZero();
  }

  @Test
  void anAddressWithoutDeviceSwallowsWhatIsSent() {
    Gid nobody = Endpoint.unused();
    MemorySegment datagram = Endpoint.datagram(64, 1);
    for (int i = 0; i < 100; i++) {
      assertThat(a.send(datagram, 64, Endpoint.routeTo(nobody), i)).isTrue();
    }
    assertThat(Endpoint.send(a, b, datagram)).isTrue();
    inboxB.expect(b, 1);
    assertThat(a.receive(inboxA, 10, 0)).isZero();
  }

  @Test
  void theWindowHoldsWithoutLossWhileTheReceiverSleeps() {
    for (int mtu : new int[] {256, 512, 1024, 2048, 4096}) {
      int window = a.window(mtu);
      assertThat(window).isGreaterThanOrEqualTo(4);
      int before = inboxB.mails.size();
      MemorySegment datagram = Endpoint.datagram(mtu + 32, mtu);
      for (int i = 0; i < window; i++) {
        assertThat(Endpoint.send(a, b, datagram)).isTrue();
      }
      inboxB.expect(b, before + window);
    }
  }

  @Test
  void awaitEndsAtItsTime() {
    long start = System.nanoTime();
    a.await(Duration.ofMillis(5).toNanos());
    a.await(0);
    a.await(-1);
    assertThat(System.nanoTime() - start).isLessThan(Duration.ofSeconds(5).toNanos());
  }

  @Test
  void aWakeBeforeTheAwaitEndsIt() {
    a.wake();
    a.wake();
    a.await(FOREVER);
  }

  @Test
  void noWakeIsLost() throws InterruptedException {
    int rounds = 20_000;
    AtomicInteger ticket = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    Thread engine =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  while (seen.get() < rounds) {
                    seen.set(ticket.get());
                    if (seen.get() < rounds) {
                      a.await(FOREVER);
                    }
                  }
                });
    for (int i = 1; i <= rounds; i++) {
      ticket.set(i);
      a.wake();
      while (i % 16 == 0 && seen.get() < i && engine.isAlive()) {
        Thread.onSpinWait();
      }
    }
    assertThat(engine.join(Duration.ofSeconds(30))).as("the engine saw the last wake").isTrue();
  }

  @Test
  void noArrivalIsSleptThrough() throws InterruptedException {
    int rounds = 5_000;
    Thread echo =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  for (int i = 0; i < rounds; i++) {
                    inboxB.mails.clear();
                    inboxB.expect(b, 1);
                    Endpoint.send(b, a, Endpoint.datagram(8, i));
                  }
                });
    for (int i = 0; i < rounds; i++) {
      assertThat(Endpoint.send(a, b, Endpoint.datagram(8, i))).isTrue();
      inboxA.mails.clear();
      inboxA.expect(a, 1);
    }
    assertThat(echo.join(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void closingTwiceIsHarmlessAndFreesTheAddress() {
    Gid address = new Gid(a.localHi(), a.localLo());
    assertThat(a.isUp()).isTrue();
    a.close();
    a.close();
    a.wake();
    assertThat(a.isUp()).isFalse();
    a = open(address, inboxA);
    assertThat(Endpoint.send(b, a, Endpoint.datagram(8, 1))).isTrue();
    inboxA.expect(a, 1);
  }
}
