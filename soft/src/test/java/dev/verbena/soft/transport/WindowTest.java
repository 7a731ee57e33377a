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

  @Test
  void aWindowThatShrinksBehindUnaskedPacketsCostsNoTimeout() {
    Rig rig = Rig.packets();
    Block from = rig.a.memory(PACKETS * MTU).scribble(1);
    Block to = rig.b.memory(PACKETS * MTU);
    rig.a.out.limit(69);
    rig.a.postWrite(1, from, PACKETS * MTU, to);
    rig.a.pump();
    rig.a.out.limit(8);
    rig.settle();
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
    assertThat(rig.a.count(Counter.RETRANSMITTED)).isZero();
  }

  @Test
  void wherePacketsLeaveAloneEachIsSentAsSoonAsThereIsRoom() {
    Rig rig = Rig.packets();
    Block from = rig.a.memory(PACKETS * MTU).scribble(1);
    Block to = rig.b.memory(PACKETS * MTU);
    rig.a.out.limit(18);
    rig.a.postWrite(1, from, PACKETS * MTU, to);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(18);
    assertThat(asking(rig)).as("four times a window").containsExactly(0, 4, 8, 12, 16, 17);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.a.out.log).hasSize(PACKETS);
  }

  @Test
  void packetsThatLeaveTogetherWaitForRoomForAllOfThemAndTheLastAsks() {
    Rig rig = Rig.runs(4);
    Block from = rig.a.memory(PACKETS * MTU).scribble(1);
    Block to = rig.b.memory(PACKETS * MTU);
    rig.a.out.limit(18);
    rig.a.postWrite(1, from, PACKETS * MTU, to);
    rig.pump();
    assertThat(rig.a.out.log).as("the first, which is longer, and four runs").hasSize(1 + 4 * 4);
    assertThat(asking(rig)).containsExactly(4, 8, 12, 16);

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
  void aMessageThatIsShorterThanARunWaitsForItsOwnRoomOnly() {
    Rig rig = Rig.runs(4);
    Block from = rig.a.memory(PACKETS * MTU).scribble(1);
    Block to = rig.b.memory(PACKETS * MTU);
    rig.a.out.limit(18);
    rig.a.postWrite(1, from, 16 * MTU, to);
    rig.a.postWrite(2, from, 2 * MTU, to);
    rig.a.postWrite(3, from, 2 * MTU, to);
    rig.pump();
    assertThat(rig.a.out.log).as("the first two").hasSize(18);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3");
  }

  @Test
  void aWindowOfLessThanARunIsUsedToo() {
    Rig rig = Rig.runs(4);
    Block from = rig.a.memory(PACKETS * MTU).scribble(1);
    Block to = rig.b.memory(PACKETS * MTU);
    rig.a.out.limit(3);
    rig.a.postWrite(1, from, PACKETS * MTU, to);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(3);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
  }

  @Test
  void aWindowThatShrinksAmidARunHasTheNextPacketAsk() {
    Rig rig = Rig.runs(4);
    Block from = rig.a.memory(PACKETS * MTU).scribble(1);
    Block to = rig.b.memory(PACKETS * MTU);
    rig.a.out.limit(18);
    rig.a.out.takes(7);
    rig.a.postWrite(1, from, PACKETS * MTU, to);
    rig.pump();
    rig.a.out.limit(2);
    rig.a.out.takes(Integer.MAX_VALUE);
    rig.settle();
    assertThat(asking(rig)).startsWith(4, 7);
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.a.count(Counter.TIMEOUTS)).isZero();
  }

  @Test
  void aPacketThatTheLinkRefusesChangesNeitherTheRunNorWhoAsks() {
    Rig rig = Rig.runs(4);
    Block from = rig.a.memory(PACKETS * MTU).scribble(1);
    Block to = rig.b.memory(PACKETS * MTU);
    rig.a.out.limit(18);
    rig.a.out.takes(5);
    rig.a.postWrite(1, from, PACKETS * MTU, to);
    rig.pump();
    rig.a.out.takes(Integer.MAX_VALUE);
    rig.a.out.refuse(1);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(5);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(1 + 4 * 4);
    assertThat(asking(rig)).containsExactly(4, 8, 12, 16);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void runsGetThroughLossWhileTheWindowChanges(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Rig rig = Rig.runs(4);
    Block from = rig.a.memory(PACKETS * MTU).scribble(1);
    Block to = rig.b.memory(PACKETS * MTU);
    rig.a.out.fault(packet -> random.nextInt(20) == 0 ? List.of() : List.of(packet));
    rig.b.out.fault(packet -> random.nextInt(20) == 0 ? List.of() : List.of(packet));
    for (int i = 1; i <= 4; i++) {
      rig.a.postWrite(i, from, (long) random.nextInt(1, PACKETS) * MTU, to);
    }
    for (int i = 0; i < 100; i++) {
      rig.a.out.limit(random.nextInt(1, 30));
      rig.pump();
      rig.deliverToB();
      rig.deliverToA();
    }
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3", "4");
  }

  /** Which of the packets sent by A ask for an acknowledgement, from 0. */
  private static List<Integer> asking(Rig rig) {
    List<Packet> log = rig.a.out.log;
    return IntStream.range(0, log.size())
        .filter(i -> log.get(i).view().ackRequest)
        .boxed()
        .toList();
  }
}
