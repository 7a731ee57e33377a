package dev.verbena.soft.link.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Inbox;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.local.MemoryLink;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FaultLinkTest {
  private static final int PACKETS = 10_000;
  private static final long STEP = 1_000;

  private final MemoryNetwork network = new MemoryNetwork();
  private final Inbox counts = new Inbox();
  private final Inbox inbox = new Inbox();

  private MemoryLink memory() {
    Gid address = Endpoint.unused();
    return network.open(Gids.address(address), counts);
  }

  private FaultLink faulty(String faults) {
    return FaultLink.over(memory(), FaultSpec.parse(faults), counts);
  }

  private static MemorySegment numbered(int number) {
    MemorySegment datagram = Endpoint.datagram(64, 1);
    datagram.set(ValueLayout.JAVA_INT, 0, number);
    return datagram;
  }

  private static int number(Inbox.Mail mail) {
    return MemorySegment.ofArray(mail.bytes()).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
  }

  /** Sends packets 1 µs apart and returns the numbers of those that arrive, in order. */
  private List<Integer> run(Link a, Link b, int packets) {
    inbox.mails.clear();
    for (int i = 0; i < packets; i++) {
      assertThat(a.send(numbered(i), 64, Endpoint.routeTo(b), i * STEP)).isTrue();
      b.receive(inbox, 1000, 0);
    }
    a.close();
    b.receive(inbox, 1000, 0);
    return inbox.mails.stream().map(FaultLinkTest::number).toList();
  }

  @Test
  void withoutFaultsNothingChanges() {
    List<Integer> arrived = run(faulty("seed:3"), memory(), 100);
    assertThat(arrived).hasSize(100).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void droppedPacketsAreCountedAndGone() {
    List<Integer> arrived = run(faulty("drop:0.1,seed:3"), memory(), PACKETS);
    long dropped = counts.count(Counter.FAULTS_DROPPED);
    assertThat(dropped).isBetween(PACKETS / 12L, PACKETS / 8L);
    assertThat(arrived).hasSize(PACKETS - (int) dropped).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void packetsAreDroppedByTheirNumbersAndNothingElseChanges() {
    String others = "drop:0.1,dup:0.1,seed:3";
    List<Integer> without = run(faulty(others), memory(), 100);
    assertThat(without).as("numbers from 0, for packets from 1").contains(6, 8);
    List<Integer> with = run(faulty("dropnth:7+9," + others), memory(), 100);
    assertThat(with).isEqualTo(without.stream().filter(each -> each != 6 && each != 8).toList());
  }

  @Test
  void aRefusedPacketKeepsItsNumber() {
    AtomicLong calls = new AtomicLong();
    MemoryLink b = memory();
    FaultLink a =
        FaultLink.over(new RefusingLink(memory(), calls), FaultSpec.parse("dropnth:20"), counts);
    for (int i = 0; i < 30; i++) {
      while (!a.send(numbered(i), 64, Endpoint.routeTo(b), i * STEP)) {
        assertThat(calls.get()).isLessThan(PACKETS);
      }
      b.receive(inbox, 1000, 0);
    }
    assertThat(calls.get()).as("some were refused").isGreaterThan(30);
    assertThat(inbox.mails).extracting(FaultLinkTest::number).hasSize(29).doesNotContain(19);
  }

  @Test
  void duplicatesFollowTheirOriginal() {
    List<Integer> arrived = run(faulty("dup:0.1,seed:3"), memory(), PACKETS);
    long twice = counts.count(Counter.FAULTS_DUPLICATED);
    assertThat(twice).isBetween(PACKETS / 12L, PACKETS / 8L);
    assertThat(arrived).hasSize(PACKETS + (int) twice).isSorted();
    assertThat(arrived.stream().distinct()).hasSize(PACKETS);
  }

  @Test
  void reorderedPacketsChangePlacesWithTheNext() {
    List<Integer> arrived = run(faulty("reorder:0.1,seed:3"), memory(), PACKETS);
    assertThat(arrived).hasSize(PACKETS).doesNotHaveDuplicates();
    int exchanged = 0;
    for (int i = 0; i < PACKETS; i++) {
      int away = arrived.get(i) - i;
      assertThat(away).isBetween(-1, 1);
      exchanged += away == 1 ? 1 : 0;
    }
    assertThat(exchanged).isBetween(PACKETS / 14, PACKETS / 8);
    assertThat(counts.count(Counter.FAULTS_REORDERED)).isEqualTo(exchanged);
  }

  @Test
  void corruptPacketsDifferInOneBitAnywhere() {
    Link a = faulty("corrupt:1,seed:3");
    Link b = memory();
    byte[] original = Endpoint.bytes(numbered(7));
    boolean[] hit = new boolean[original.length * 8];
    for (int i = 0; i < PACKETS; i++) {
      MemorySegment datagram = numbered(7);
      a.send(datagram, 64, Endpoint.routeTo(b), i);
      assertThat(Endpoint.bytes(datagram)).as("the sender's buffer").isEqualTo(original);
      inbox.mails.clear();
      assertThat(b.receive(inbox, 2, 0)).isEqualTo(1);
      byte[] arrived = inbox.mails.getFirst().bytes();
      int flipped = 0;
      for (int bit = 0; bit < hit.length; bit++) {
        if (((arrived[bit / 8] ^ original[bit / 8]) >> bit % 8 & 1) != 0) {
          flipped++;
          hit[bit] = true;
        }
      }
      assertThat(flipped).isEqualTo(1);
    }
    assertThat(hit).as("every bit is hit sooner or later").doesNotContain(false);
    assertThat(counts.count(Counter.FAULTS_CORRUPTED)).isEqualTo(PACKETS);
  }

  @Test
  void delayedPacketsLeaveByTheirDeadlineWithoutFurtherSends() {
    FaultLink a = faulty("delay:1@2ms,seed:3");
    MemoryLink b = memory();
    for (int i = 0; i < 100; i++) {
      assertThat(a.send(numbered(i), 64, Endpoint.routeTo(b), 0)).isTrue();
    }
    assertThat(b.receive(inbox, 1000, 0)).isZero();
    assertThat(counts.count(Counter.FAULTS_DELAYED)).isEqualTo(100);
    long last = 0;
    while (a.deadline() != Long.MAX_VALUE) {
      long deadline = a.deadline();
      assertThat(deadline).isGreaterThan(last).isLessThanOrEqualTo(2_000_000);
      assertThat(a.receive(inbox, 1, deadline - 1)).isZero();
      assertThat(b.receive(inbox, 1000, 0)).as("before its deadline").isZero();
      a.receive(inbox, 1, deadline);
      assertThat(b.receive(inbox, 1000, 0)).isPositive();
      last = deadline;
    }
    assertThat(inbox.mails).hasSize(100);
    assertThat(inbox.mails.stream().map(FaultLinkTest::number)).doesNotHaveDuplicates();
  }

  @Test
  void aLastPacketWaitsForItsExchangeNoLongerThanAMillisecond() {
    FaultLink a = faulty("reorder:1,seed:3");
    MemoryLink b = memory();
    assertThat(a.send(numbered(1), 64, Endpoint.routeTo(b), 5)).isTrue();
    assertThat(b.receive(inbox, 10, 0)).isZero();
    assertThat(a.deadline()).isEqualTo(5 + FaultLink.EXCHANGE_NANOS);
    a.receive(inbox, 10, a.deadline());
    assertThat(b.receive(inbox, 10, 0)).isEqualTo(1);
    assertThat(counts.count(Counter.FAULTS_REORDERED)).isZero();
    assertThat(a.deadline()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aHeldPacketWakesTheEngine() {
    FaultLink a = faulty("delay:1@2ms,seed:3");
    MemoryLink b = memory();
    assertThat(a.send(numbered(1), 64, Endpoint.routeTo(b), 0)).isTrue();
    a.await(Long.MAX_VALUE);
    assertThat(a.deadline()).isLessThan(Long.MAX_VALUE);
  }

  @Test
  void closingSendsWhatIsHeld() {
    FaultLink a = faulty("delay:1@2s,dup:1,seed:3");
    MemoryLink b = memory();
    a.send(numbered(1), 64, Endpoint.routeTo(b), 0);
    a.close();
    assertThat(b.receive(inbox, 10, 0)).isEqualTo(2);
  }

  @Test
  void heldPacketsAreBounded() {
    FaultLink a = faulty("delay:1@2s,seed:3");
    MemoryLink b = memory();
    for (int i = 0; i < FaultLink.MOST_HELD + 10; i++) {
      assertThat(a.send(numbered(i), 64, Endpoint.routeTo(b), 0)).isTrue();
    }
    assertThat(b.receive(inbox, 100, 0)).isEqualTo(10);
    assertThat(counts.count(Counter.FAULTS_DELAYED)).isEqualTo(FaultLink.MOST_HELD);
  }

  @Test
  void aSeedDecidesEverything() {
    String faults = "drop:0.1,dup:0.1,reorder:0.1,delay:0.1@20us,corrupt:0.1,seed:";
    List<List<Integer>> runs = new ArrayList<>();
    for (int seed : new int[] {11, 11, 12}) {
      runs.add(run(faulty(faults + seed), memory(), PACKETS));
    }
    assertThat(runs.get(0)).isEqualTo(runs.get(1));
    assertThat(runs.get(0)).isNotEqualTo(runs.get(2));
  }

  @Test
  void aRefusedPacketKeepsItsLot() {
    String faults = "drop:0.2,dup:0.2,corrupt:0.2,seed:5";
    List<Integer> free = run(faulty(faults), memory(), PACKETS);
    Inbox refusedCounts = new Inbox();
    AtomicLong calls = new AtomicLong();
    MemoryLink b = memory();
    FaultLink a =
        FaultLink.over(new RefusingLink(memory(), calls), FaultSpec.parse(faults), refusedCounts);
    inbox.mails.clear();
    long now = 0;
    for (int i = 0; i < PACKETS; i++) {
      while (!a.send(numbered(i), 64, Endpoint.routeTo(b), now)) {
        now += STEP;
      }
      b.receive(inbox, 1000, 0);
      now += STEP;
    }
    while (a.deadline() != Long.MAX_VALUE) {
      a.receive(inbox, 1, a.deadline());
    }
    b.receive(inbox, 1000, 0);
    assertThat(inbox.mails.stream().map(FaultLinkTest::number).sorted())
        .isEqualTo(free.stream().sorted().toList());
    for (Counter counter :
        List.of(Counter.FAULTS_DROPPED, Counter.FAULTS_DUPLICATED, Counter.FAULTS_CORRUPTED)) {
      assertThat(refusedCounts.count(counter)).isEqualTo(counts.count(counter));
    }
    assertThat(calls.get()).isGreaterThan(PACKETS);
  }
}
