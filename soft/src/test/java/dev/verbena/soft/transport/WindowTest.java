package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Counter;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long messages within what may be in flight. */
class WindowTest {
  private static final int PACKETS = 100;
  private static final int MTU = 256;

  private Rig rig = Rig.packets();

  /** A connection in which so many packets leave together, and so many may be in flight. */
  private void runs(int packets, int most) {
    rig = packets == 1 ? Rig.packets() : Rig.runs(packets);
    rig.a.out.limit(most);
  }

  /** A posts WRITEs of so many packets each, numbered from 1. */
  private void write(int... packets) {
    Block from = rig.a.memory(PACKETS * MTU).scribble(1);
    Block to = rig.b.memory(PACKETS * MTU);
    for (int i = 0; i < packets.length; i++) {
      rig.a.postWrite(i + 1, from, (long) packets[i] * MTU, to);
    }
  }

  /** Which of the packets sent by A ask for an acknowledgement, from 0. */
  private List<Integer> asking() {
    List<Packet> log = rig.a.out.log;
    return IntStream.range(0, log.size())
        .filter(i -> log.get(i).view().ackRequest)
        .boxed()
        .toList();
  }

  @Test
  void aWindowThatShrinksBehindUnaskedPacketsCostsNoTimeout() {
    runs(1, 69);
    write(PACKETS);
    rig.a.pump();
    rig.a.out.limit(8);
    rig.settle();
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
    assertThat(rig.a.count(Counter.RETRANSMITTED)).isZero();
  }

  @Test
  void wherePacketsLeaveAloneEachIsSentAsSoonAsThereIsRoom() {
    runs(1, 18);
    write(PACKETS);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(18);
    assertThat(asking()).as("four times a window").containsExactly(0, 4, 8, 12, 16, 17);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.a.out.log).hasSize(PACKETS);
  }

  @Test
  void packetsThatLeaveTogetherWaitForRoomForAllOfThemAndTheLastAsks() {
    runs(4, 18);
    Block from = rig.a.memory(PACKETS * MTU).scribble(1);
    Block to = rig.b.memory(PACKETS * MTU);
    rig.a.postWrite(1, from, PACKETS * MTU, to);
    rig.pump();
    assertThat(rig.a.out.log).as("the first, which is longer, and four runs").hasSize(1 + 4 * 4);
    assertThat(asking()).containsExactly(4, 8, 12, 16);

    List<Packet> flight = List.copyOf(rig.a.out.flight);
    flight.subList(0, 4).forEach(rig::inject);
    assertThat(rig.b.out.flight).as("nobody has asked").isEmpty();
    rig.inject(flight.get(4));
    rig.deliverToA();
    assertThat(rig.a.out.log).as("the one run for which there is room").hasSize(1 + 5 * 4);

    rig.a.out.flight.subList(0, 5).clear();
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.a.out.log).as("nothing is repeated").hasSize(PACKETS);
    assertThat(to.bytes(0, PACKETS * MTU)).isEqualTo(from.bytes(0, PACKETS * MTU));
  }

  @Test
  void runsAreAsShortThatThreeMayBeInFlight() {
    runs(60, 18);
    write(PACKETS);
    rig.pump();
    assertThat(asking()).containsExactly(6, 12);
    assertThat(rig.a.out.log).hasSize(1 + 2 * 6);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  void whoMayHaveLessInFlightThanThePathTakesSendsEachPacketAsSoonAsThereIsRoom() {
    runs(4, 18);
    rig.a.congestion.limit(16);
    rig.a.congestion.lost(0);
    write(PACKETS);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(12);
    assertThat(asking()).as("four times a window").containsExactly(0, 3, 6, 9, 11);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  void aMessageThatIsShorterThanARunWaitsForItsOwnRoomOnly() {
    runs(4, 18);
    write(16, 2, 2);
    rig.pump();
    assertThat(rig.a.out.log).as("the first two").hasSize(18);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3");
  }

  @Test
  void aWindowOfLessThanARunIsUsedToo() {
    runs(4, 3);
    write(PACKETS);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(3);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
  }

  @Test
  void aWindowThatShrinksAmidARunHasTheNextPacketAsk() {
    runs(4, 18);
    rig.a.out.takes(7);
    write(PACKETS);
    rig.pump();
    rig.a.out.limit(2);
    rig.a.out.takes(Integer.MAX_VALUE);
    rig.settle();
    assertThat(asking()).startsWith(4, 7);
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
  }

  @Test
  void aPacketThatTheLinkRefusesChangesNeitherTheRunNorWhoAsks() {
    runs(4, 18);
    rig.a.out.takes(5);
    write(PACKETS);
    rig.pump();
    rig.a.out.takes(Integer.MAX_VALUE);
    rig.a.out.refuse(1);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(5);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(1 + 4 * 4);
    assertThat(asking()).containsExactly(4, 8, 12, 16);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  void aRequestThatWaitsForRoomForARunSaysThatItWaitsForAnAnswer() {
    runs(4, 18);
    write(PACKETS);
    rig.pump();
    StringBuilder text = new StringBuilder();
    rig.a.requester.dump(text);
    assertThat(text).contains("17 in flight of 18", "before more may be in flight");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void runsGetThroughLossWhileTheWindowChanges(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    runs(4, 18);
    rig.a.out.fault(packet -> random.nextInt(20) == 0 ? List.of() : List.of(packet));
    rig.b.out.fault(packet -> random.nextInt(20) == 0 ? List.of() : List.of(packet));
    write(random.ints(4, 1, PACKETS).toArray());
    for (int i = 0; i < 100; i++) {
      rig.a.out.limit(random.nextInt(1, 30));
      rig.pump();
      rig.deliverToB();
      rig.deliverToA();
    }
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3", "4");
  }
}
