package dev.verbena.soft.link.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Inbox;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.SendBatch;
import dev.verbena.soft.link.shm.SharedMemoryLink;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.FaultSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What faults do to long packets: the same to all of each. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "memory is shared on Linux only")
class FaultyLongPacketsTest {
  private static final int PACKETS = 400;
  private static final long STEP = 1_000;

  private final Inbox counts = new Inbox();
  private final Inbox inbox = new Inbox();
  private final Link b = shared(false);
  private final List<Link> open = new ArrayList<>(List.of(b));

  private Link shared(boolean icrc) {
    return SharedMemoryLink.open(Gids.address(Endpoint.unused()), counts, icrc);
  }

  private FaultLink faulty(String faults) {
    Link inner = shared(false);
    open.add(inner);
    return FaultLink.over(inner, FaultSpec.parse(faults), counts);
  }

  @AfterEach
  void close() {
    open.forEach(Link::close);
  }

  /** Long and short in turn, so that a buffer for held ones has both. */
  private static MemorySegment packet(Link link, int number) {
    int length = number % 3 == 0 ? 64 : link.longestDatagram() - number % 7;
    MemorySegment packet = Endpoint.datagram(length, number);
    packet.set(ValueLayout.JAVA_INT, 0, number);
    return packet;
  }

  private static int number(Inbox.Mail mail) {
    return MemorySegment.ofArray(mail.bytes()).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
  }

  private List<Integer> send(FaultLink a) {
    SendBatch batch = new SendBatch(a.mostSegments(), a.longestDatagram());
    long now = 0;
    for (int i = 0; i < PACKETS; i++) {
      MemorySegment packet = packet(a, i);
      MemorySegment.copy(packet, 0, batch.next(), 0, packet.byteSize());
      batch.add((int) packet.byteSize(), Endpoint.routeTo(b));
      assertThat(a.send(batch, now)).isTrue();
      b.receive(inbox, 1000, 0);
      now += STEP;
    }
    while (a.deadline() != Long.MAX_VALUE) {
      a.receive(inbox, 1, a.deadline());
      b.receive(inbox, 1000, 0);
    }
    for (Inbox.Mail mail : inbox.mails) {
      assertThat(mail.bytes()).isEqualTo(Endpoint.bytes(packet(a, number(mail))));
    }
    return inbox.mails.stream().map(FaultyLongPacketsTest::number).toList();
  }

  @Test
  void aLostOneIsGoneAndTheOthersArriveWhole() {
    List<Integer> arrived = send(faulty("drop:0.1,seed:3"));
    assertThat(counts.count(Counter.FAULTS_DROPPED)).isBetween(PACKETS / 20L, PACKETS / 5L);
    assertThat(arrived)
        .hasSize(PACKETS - (int) counts.count(Counter.FAULTS_DROPPED))
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void repeatedExchangedAndLateOnesArriveWhole() {
    List<Integer> arrived = send(faulty("dup:0.2,reorder:0.2,delay:0.2@20us,seed:3"));
    for (Counter counter :
        List.of(Counter.FAULTS_DUPLICATED, Counter.FAULTS_REORDERED, Counter.FAULTS_DELAYED)) {
      assertThat(counts.count(counter)).as("%s", counter).isPositive();
    }
    assertThat(arrived).hasSize(PACKETS + (int) counts.count(Counter.FAULTS_DUPLICATED));
    assertThat(arrived.stream().distinct()).hasSize(PACKETS);
    assertThat(arrived).isNotEqualTo(arrived.stream().sorted(Comparator.naturalOrder()).toList());
  }

  @Test
  void damageWithoutAnIcrcIsRefused() {
    FaultSpec corrupt = FaultSpec.parse("corrupt:0.1");
    Link without = shared(false);
    open.add(without);
    assertThatThrownBy(() -> FaultLink.over(without, corrupt, counts))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
