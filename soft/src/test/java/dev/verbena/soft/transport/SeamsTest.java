package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Counter;
import org.junit.jupiter.api.Test;

/** The calls of a congestion control and of an ACK policy. */
class SeamsTest {
  private static final long LATENCY = 300_000;

  private final Rig rig = Rig.packets();
  private final Block from = rig.a.memory(8 * 256).scribble(1);
  private final Block to = rig.b.memory(8 * 256);

  @Test
  void theControlIsToldOfEachPacketThatArrivesAndHowLongTheAnswerTook() {
    rig.a.congestion.listen();
    rig.a.postWrite(1, from, 8 * 256, to);
    rig.pump();
    rig.deliverToB();
    rig.advance(LATENCY);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.a.congestion.arrived).isEqualTo(8);
    assertThat(rig.a.congestion.slowest).isEqualTo(LATENCY);
    assertThat(rig.a.congestion.losses).isZero();
  }

  @Test
  void theControlIsToldOfALossOnce() {
    rig.a.postWrite(1, from, 8 * 256, to);
    rig.a.out.loseOnce(packet -> packet.psn() == Rig.PSN_A + 3);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(rig.a.congestion.losses).isEqualTo(1);
  }

  @Test
  void theControlIsToldOfNotifications() {
    rig.a.requester.congestionNotified();
    assertThat(rig.a.congestion.notifications).isEqualTo(1);
    assertThat(rig.a.count(Counter.CONGESTION_NOTIFICATIONS_RECEIVED)).isEqualTo(1);
  }

  @Test
  void theControlIsToldWhenNothingIsInFlightAndOfTheEnd() {
    rig.a.postWrite(1, from, 8 * 256, to);
    rig.pump();
    rig.a.requester.restIfDrained();
    assertThat(rig.a.congestion.rests).as("in flight").isZero();
    rig.deliverAll();
    rig.a.requester.restIfDrained();
    rig.a.requester.restIfDrained();
    assertThat(rig.a.congestion.rests).isEqualTo(1);
    assertThat(rig.a.congestion.ended).isFalse();
    rig.a.reset();
    assertThat(rig.a.congestion.ended).isTrue();
  }

  @Test
  void whatTheControlLimitsIsAllThatIsInFlight() {
    rig.a.congestion.limit(10);
    rig.a.congestion.lost(0);
    rig.a.postWrite(1, from, 8 * 256, to);
    rig.pump();
    assertThat(rig.a.out.flight).hasSize(7);
  }

  @Test
  void promptAcksAreAskedForFourTimesInAWindowAndByThePacketThatFillsIt() {
    AckPolicy acks = new PromptAcks();
    int asked = 0;
    for (int inFlight = 0; inFlight < 64; inFlight++) {
      asked += acks.asks(inFlight, 64, false) ? 1 : 0;
    }
    assertThat(asked).isEqualTo(4);
    assertThat(acks.asks(63, 64, true)).isTrue();
    assertThat(acks.asks(2, 3, false)).as("a window that is smaller than four").isTrue();
  }
}
