package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.queue.Destination;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.RecvWqe;
import dev.verbena.soft.queue.SharedReceives;
import dev.verbena.soft.queue.SharedRecvQueue;
import dev.verbena.soft.transport.packets.PacketDecoder;
import dev.verbena.soft.transport.responder.Responder;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The shared receive of a UC or UD message that is dropped. */
class UnusedReceiveTest {
  private static final Destination ANYWHERE = new Destination() {};

  private final SharedRecvQueue queue = new SharedRecvQueue(4, 4, Guard.NONE, () -> {});
  private final Chunk request = new Chunk();

  private Responder responder(Rig rig) {
    Responder made =
        new Responder(
            rig.b.core, new SharedReceives(queue, rig.b.recvRing, rig.b.domain, rig.b.domain));
    made.start(Rig.PSN_A);
    return made;
  }

  private void post(long id, Block to, int length) {
    RecvWqe wqe = queue.claim(0);
    wqe.begin(id);
    wqe.data().add(to.lkey(), to.addr(), length);
    queue.publish(1);
  }

  private void arrive(Rig rig, Responder at, Packet packet) {
    PacketDecoder.request(packet.view(), rig.a.gid, request);
    at.receive(request, at.obstacle(request), rig.b.outbox);
  }

  @Test
  @Proves({"S3.4.4", "S3.2.5"})
  void aDatagramThatIsTooLongLeavesItToAnotherQueuePair() {
    Rig rig = Rig.of(Service.UD, false);
    Responder first = responder(rig);
    Responder second = responder(rig);
    Block from = rig.a.memory(256).scribble(1);
    post(1, rig.b.memory(256), 60);
    for (int length : new int[] {100, 20}) {
      rig.a.post(
          1,
          WrOpcode.SEND,
          SendFlags.SIGNALED,
          wqe -> {
            wqe.data.add(from.lkey(), from.addr(), length);
            wqe.destination(ANYWHERE, 0x22, 0);
          });
    }
    rig.pump();
    arrive(rig, first, rig.a.out.flight.get(0));
    assertThat(queue.size()).isEqualTo(1);
    arrive(rig, second, rig.a.out.flight.get(1));
    assertThat(rig.b.receiveResults()).containsExactly("1");
    assertThat(queue.size()).isZero();
  }

  @Test
  @Proves("S3.4.4")
  void aMessageThatTheEndOfItsQueuePairCutsShortLeavesItToAnother() {
    Rig rig = Rig.of(Service.RC, false);
    Responder ending = responder(rig);
    post(1, rig.b.memory(1024), 1024);
    rig.a.postSend(1, rig.a.memory(1024), 1000);
    rig.pump();
    arrive(rig, ending, rig.a.out.flight.getFirst());
    assertThat(queue.size()).isZero();
    ending.retire();
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  @Proves({"S3.4.4", "S12.7.1"})
  void aMessageWithAHoleLeavesItToAnotherQueuePair() {
    Rig rig = Rig.of(Service.UC, false);
    Responder first = responder(rig);
    Responder second = responder(rig);
    post(1, rig.b.memory(1024), 1024);
    rig.a.postSend(1, rig.a.memory(1024).scribble(1), 1000);
    rig.pump();
    List<Packet> packets = List.copyOf(rig.a.out.flight);
    arrive(rig, first, packets.get(0));
    assertThat(queue.size()).isZero();
    arrive(rig, first, packets.get(2));
    assertThat(queue.size()).isEqualTo(1);
    packets.forEach(packet -> arrive(rig, second, packet));
    assertThat(rig.b.receiveResults()).containsExactly("1");
  }
}
