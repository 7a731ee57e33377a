package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Opcode;
import org.junit.jupiter.api.Test;

class RigTest {
  @Test
  void aSendCrossesTheWire() {
    Rig rig = Rig.packets();
    Block from = rig.a.memory(1000).scribble(1);
    Block to = rig.b.memory(1000);
    rig.b.postRecv(7, to);
    rig.a.postSend(8, from, 1000);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("8");
    assertThat(rig.b.receiveResults()).containsExactly("7");
    assertThat(to.bytes()).isEqualTo(from.bytes());
    assertThat(rig.a.out.log.getFirst().opcode()).isEqualTo(Opcode.RC_SEND_FIRST);
  }
}
