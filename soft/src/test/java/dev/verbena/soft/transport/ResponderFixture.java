package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.Region;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.AethSyndrome;
import java.util.List;

/** A requester A and a responder B, whose packets a test carries itself. */
class ResponderFixture {
  final Rig rig = Rig.packets();
  final Block from = rig.a.memory(4096).scribble(1);
  final Block to = rig.b.memory(4096);

  /** The packets of the requests that A has posted, which do not arrive. */
  List<Packet> capture() {
    rig.pump();
    List<Packet> packets = List.copyOf(rig.a.out.flight);
    rig.a.out.flight.clear();
    return packets;
  }

  Packet captureSend(int length) {
    rig.a.postSend(1, from, length);
    return capture().getFirst();
  }

  Packet captureWrite(int length) {
    rig.a.postWrite(1, from, length, to);
    return capture().getFirst();
  }

  /** Moves the target region of A's requests to another domain, with the same keys. */
  void moveTargetToAnotherDomain() {
    Region region = to.region();
    rig.b.keys.replace(
        region,
        new Region(
            region.lkey(),
            region.rkey(),
            new Domain(),
            region.access(),
            region.base(),
            region.memory()));
  }

  Packet answer() {
    assertThat(rig.b.out.log).isNotEmpty();
    return rig.b.out.log.getLast();
  }

  void assertRefused(int syndrome, int psn) {
    assertThat(answer().view().aethSyndrome()).isEqualTo(syndrome);
    assertThat(answer().psn()).isEqualTo(psn);
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
  }

  void assertInvalid(int psn) {
    assertRefused(AethSyndrome.NAK_INVALID_REQUEST, psn);
  }
}
