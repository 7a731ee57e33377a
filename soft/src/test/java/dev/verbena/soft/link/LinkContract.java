package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.RocePorts;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every packet link, tested with two of them. A lost wake would hang, hence the
 * time limit.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class LinkContract {
  private static final long FOREVER = Long.MAX_VALUE;

  protected final Inbox inboxA = new Inbox();
  protected final Inbox inboxB = new Inbox();
  protected Link a;
  protected Link b;

  protected abstract Link open(Gid address, LinkCounters counters);

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
      assertThat(mail.source()).isEqualTo(a.address());
      assertThat(mail.destination()).isEqualTo(b.address());
      assertThat(mail.srcPort()).isEqualTo(RocePorts.UDP_PORT);
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
    assertInOrder(inboxB, a, 0);
    assertInOrder(inboxA, b, 100);
    assertInOrder(inboxA, a, 200);
  }

  /** What came from one sender; what several have sent has no order. */
  private static void assertInOrder(Inbox inbox, Link sender, int firstSeed) {
    List<byte[]> arrived =
        inbox.mails.stream()
            .filter(mail -> mail.source().equals(sender.address()))
            .map(Inbox.Mail::bytes)
            .toList();
    assertThat(arrived).hasSize(20);
    for (int i = 0; i < 20; i++) {
      assertThat(arrived.get(i)).isEqualTo(Endpoint.bytes(Endpoint.datagram(32, firstSeed + i)));
    }
  }

  @Test
  void aBatchArrivesWholeAndInOrderAtEachDestination() {
    SendBatch batch = new SendBatch(a.mostSegments(), 8192);
    int[] lengths = {64, 64, 64, 4112, 4112, 200, 300, 300, 16, 16, 17, 4128, 4112, 4112};
    for (int i = 0; i < lengths.length; i++) {
      if (batch.isFull()) {
        assertThat(a.send(batch, 0)).isTrue();
      }
      add(batch, Endpoint.datagram(lengths[i], i), i % 5 == 4 ? a : b);
    }
    assertThat(a.send(batch, 0)).isTrue();
    assertThat(batch.isEmpty()).isTrue();
    inboxA.expect(a, 2);
    inboxB.expect(b, lengths.length - 2);
    int toA = 0;
    int toB = 0;
    for (int i = 0; i < lengths.length; i++) {
      Inbox.Mail mail = i % 5 == 4 ? inboxA.mails.get(toA++) : inboxB.mails.get(toB++);
      assertThat(mail.bytes()).as("datagram %d", i).hasSize(lengths[i]);
      assertThat(mail.bytes()).isEqualTo(Endpoint.bytes(Endpoint.datagram(lengths[i], i)));
    }
  }

  @Test
  void aFullBatchGoesToAGroupToo() {
    Gid group = Endpoint.unusedGroup();
    Endpoint.join(b, group);
    SendBatch batch = new SendBatch(a.mostSegments(), 64);
    Route route = Endpoint.routeTo(group);
    while (!batch.isFull()) {
      MemorySegment.copy(Endpoint.datagram(64, 3), 0, batch.next(), 0, 64);
      batch.add(64, route);
    }
    assertThat(a.send(batch, 0)).isTrue();
    inboxB.expect(b, a.mostSegments());
  }

  protected static void add(SendBatch batch, MemorySegment datagram, Link to) {
    MemorySegment.copy(datagram, 0, batch.next(), 0, datagram.byteSize());
    batch.add((int) datagram.byteSize(), Endpoint.routeTo(to));
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
      int most = a.mostInFlight(mtu);
      assertThat(most).isGreaterThanOrEqualTo(4);
      int before = inboxB.mails.size();
      MemorySegment datagram = Endpoint.datagram(mtu + 32, mtu);
      for (int i = 0; i < most; i++) {
        assertThat(Endpoint.send(a, b, datagram)).isTrue();
      }
      inboxB.expect(b, before + most);
    }
  }

  @Test
  @Proves("S8.7")
  void whatIsSentToAGroupArrivesOnceAtEachMember() {
    Gid group = Endpoint.unusedGroup();
    Endpoint.join(a, group);
    Endpoint.join(b, group);
    for (int length : new int[] {1, 64, 4096 + 16, a.maxDatagram()}) {
      inboxA.mails.clear();
      inboxB.mails.clear();
      MemorySegment datagram = Endpoint.datagram(length, length);
      assertThat(Endpoint.send(a, group, datagram)).isTrue();
      inboxA.expect(a, 1);
      inboxB.expect(b, 1);
      for (Inbox.Mail mail : List.of(inboxA.mails.getFirst(), inboxB.mails.getFirst())) {
        assertThat(mail.bytes()).isEqualTo(Endpoint.bytes(datagram));
        assertThat(Gids.gid(mail.source())).isEqualTo(gid(a));
        assertThat(Gids.gid(mail.destination())).isEqualTo(group);
        assertThat(mail.srcPort()).isEqualTo(RocePorts.UDP_PORT);
      }
      assertThat(a.receive(inboxA, 5, 0)).isZero();
      assertThat(b.receive(inboxB, 5, 0)).isZero();
    }
  }

  @Test
  void onlyMembersGetWhatIsSentToAGroupAndOnlyWhileTheyAre() {
    Gid group = Endpoint.unusedGroup();
    Gid other = Endpoint.unusedGroup();
    MemorySegment datagram = Endpoint.datagram(64, 1);
    Endpoint.join(a, group);
    Endpoint.join(b, other);
    assertThat(Endpoint.send(b, group, datagram)).isTrue();
    inboxA.expect(a, 1);
    assertThat(b.receive(inboxB, 5, 0)).isZero();

    Endpoint.leave(a, group);
    Endpoint.leave(a, group);
    Endpoint.join(b, group);
    assertThat(Endpoint.send(b, group, datagram)).isTrue();
    assertThat(Endpoint.send(b, other, datagram)).isTrue();
    inboxB.expect(b, 2);
    assertThat(inboxB.mails.stream().map(mail -> Gids.gid(mail.destination())))
        .containsExactlyInAnyOrder(group, other);
    assertThat(a.receive(inboxA, 5, 0)).isZero();

    Endpoint.join(a, group);
    assertThat(Endpoint.send(b, group, datagram)).isTrue();
    inboxA.expect(a, 2);
  }

  @Test
  void membersStillGetWhatIsSentToTheirAddress() {
    Gid group = Endpoint.unusedGroup();
    Endpoint.join(b, group);
    for (int i = 0; i < 5; i++) {
      assertThat(Endpoint.send(a, group, Endpoint.datagram(32, i))).isTrue();
      assertThat(Endpoint.send(a, b, Endpoint.datagram(32, 100 + i))).isTrue();
    }
    inboxB.expect(b, 10);
    for (Gid to : List.of(group, gid(b))) {
      int seed = to.equals(group) ? 0 : 100;
      assertThat(
              inboxB.mails.stream()
                  .filter(mail -> mail.destination().equals(Gids.address(to)))
                  .map(Inbox.Mail::bytes))
          .containsExactly(
              Stream.iterate(seed, i -> i + 1)
                  .limit(5)
                  .map(i -> Endpoint.bytes(Endpoint.datagram(32, i)))
                  .toArray(byte[][]::new));
    }
  }

  @Test
  void aBusyAddressDoesNotSilenceAGroup() {
    Gid group = Endpoint.unusedGroup();
    Endpoint.join(b, group);
    int batch = 4;
    assertThat(Endpoint.send(a, group, Endpoint.datagram(32, 1))).isTrue();
    boolean arrived = false;
    for (int round = 0; round < 1_000 && !arrived; round++) {
      for (int i = 0; i < batch; i++) {
        assertThat(Endpoint.send(a, b, Endpoint.datagram(32, 2))).isTrue();
      }
      assertThat(b.receive(inboxB, batch, System.nanoTime())).isPositive();
      arrived =
          inboxB.mails.stream().anyMatch(mail -> mail.destination().equals(Gids.address(group)));
    }
    assertThat(arrived).as("datagram to the group").isTrue();
  }

  @Test
  void anAwaitThatBeganBeforeTheJoinSeesTheGroup() throws InterruptedException {
    Gid group = Endpoint.unusedGroup();
    int rounds = 200;
    for (int i = 0; i < rounds; i++) {
      CountDownLatch awaiting = new CountDownLatch(1);
      Thread engine =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    awaiting.countDown();
                    a.await(Duration.ofSeconds(30).toNanos());
                    a.await(Duration.ofSeconds(30).toNanos());
                  });
      awaiting.await();
      Endpoint.join(a, group);
      assertThat(Endpoint.send(b, group, Endpoint.datagram(8, i))).isTrue();
      assertThat(engine.join(Duration.ofSeconds(20))).as("woken by join and datagram").isTrue();
      inboxA.expect(a, i + 1);
      Endpoint.leave(a, group);
      a.await(0);
    }
  }

  private static Gid gid(Link link) {
    return Gids.gid(link.address());
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
    Gid address = Gids.gid(a.address());
    assertThat(a.state()).isEqualTo(LinkState.UP);
    a.close();
    a.close();
    a.wake();
    assertThat(a.state()).isEqualTo(LinkState.GONE);
    a = open(address, inboxA);
    assertThat(Endpoint.send(b, a, Endpoint.datagram(8, 1))).isTrue();
    inboxA.expect(a, 1);
  }
}
