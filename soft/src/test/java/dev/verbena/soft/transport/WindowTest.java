package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Counter;
import org.junit.jupiter.api.Test;

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
}
