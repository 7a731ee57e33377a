package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.RecvWqe;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.queue.SharedReceives;
import dev.verbena.soft.queue.SharedRecvQueue;
import dev.verbena.soft.transport.packets.PacketDecoder;
import dev.verbena.soft.transport.responder.Responder;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.AethSyndrome;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A responder whose receives come from a shared queue, packet by packet. */
class SharedReceivesTest {
  private final SharedRecvQueue queue = new SharedRecvQueue(16, 4, Guard.NONE, () -> {});
  private final Rig rig = Rig.packets();
  private final Block from = rig.a.memory(4096).scribble(1);
  private final Block to = rig.b.memory(4096);
  private final Responder responder = responder();
  private final Responder neighbour = responder();
  private final Chunk request = new Chunk();
  private final List<String> answers = new ArrayList<>();
  private final Replies replies =
      new Replies() {
        @Override
        public boolean giveCredits() {
          return true;
        }

        @Override
        public boolean hasRoom() {
          return true;
        }

        @Override
        public boolean hasRoomToRepeat(int psn) {
          return true;
        }

        @Override
        public void acknowledge(int psn, int syndrome, int msn) {
          answers.add(AethSyndrome.isRnr(syndrome) ? "RNR" : "0x" + Integer.toHexString(syndrome));
        }

        @Override
        public void read(
            int psn, int psnCount, int msn, int srqNum, int rkey, long va, long length) {}

        @Override
        public void atomic(int psn, int msn, long original) {}
      };

  private Responder responder() {
    Responder made =
        new Responder(
            rig.b.core, new SharedReceives(queue, rig.b.recvRing, rig.b.domain, rig.b.domain));
    made.start(Rig.PSN_A);
    return made;
  }

  private void post(long id) {
    RecvWqe wqe = queue.claim(0);
    wqe.begin(id);
    wqe.data().add(to.lkey(), to.addr(), 4096);
    queue.publish(1);
  }

  private List<Packet> capture() {
    rig.pump();
    List<Packet> packets = List.copyOf(rig.a.out.flight);
    rig.a.out.flight.clear();
    return packets;
  }

  private List<Packet> captureSend(int length) {
    rig.a.postSend(1, from, length);
    return capture();
  }

  private void arrive(Responder at, Packet packet) {
    PacketDecoder.request(packet.view(), rig.a.gid, request);
    at.receive(request, at.obstacle(request), replies);
  }

  @Test
  @Proves("S3.4.4")
  void aMessageTakesItsReceiveWhenItStarts() {
    List<Packet> packets = captureSend(600);
    post(1);
    post(2);
    arrive(responder, packets.get(0));
    assertThat(queue.size()).isEqualTo(1);
    for (Packet packet : packets) {
      arrive(neighbour, packet);
    }
    arrive(responder, packets.get(1));
    arrive(responder, packets.get(2));
    assertThat(rig.b.receiveResults()).containsExactly("2", "1");
    assertThat(queue.size()).isZero();
  }

  @Test
  @Proves("S3.4.4")
  void aWholeMessageWhoseDataIsGoneLeavesItsReceiveInTheQueue() {
    post(1);
    SendWqe request = new SendQueue(1, 1, 0).claim(0);
    request.begin(7, SendOperation.of(WrOpcode.SEND), 0, true);
    SpanList payload = new SpanList();
    try (Arena arena = Arena.ofConfined()) {
      payload.add(arena.allocate(8), 0, 8);
    }
    assertThat(responder.sendWhole(Rig.PSN_A, 1, request, payload)).isFalse();
    assertThat(queue.size()).isEqualTo(1);
    payload.clear();
    payload.add(MemorySegment.ofArray(new byte[8]), 0, 8);
    assertThat(neighbour.sendWhole(Rig.PSN_A, 1, request, payload)).isTrue();
    assertThat(rig.b.receiveResults()).containsExactly("1");
  }

  @Test
  @Proves("S3.4.7")
  void inErrorOnlyTheReceiveOfTheMessageUnderWayIsFlushed() {
    List<Packet> packets = captureSend(600);
    post(1);
    post(2);
    arrive(responder, packets.get(0));
    rig.b.status.state(QpState.ERR);
    responder.flush();
    responder.flush();
    assertThat(rig.b.receiveResults()).containsExactly("1 WR_FLUSH_ERR");
    assertThat(rig.b.events).containsExactly(EventType.QP_LAST_WQE_REACHED);
    assertThat(queue.size()).isEqualTo(1);

    rig.b.status.state(QpState.RTS);
    packets.forEach(packet -> arrive(neighbour, packet));
    assertThat(rig.b.receiveResults()).containsExactly("2");
  }

  @Test
  @Proves("S3.4.7")
  void aRefusedMessageEndsWithTheEventBehindItsCause() {
    post(1);
    List<Packet> packets = captureSend(600);
    arrive(responder, packets.get(0));
    arrive(responder, packets.get(2).edited(b -> PacketEdits.psn(b, Rig.PSN_A + 1)).withLength(0));
    assertThat(rig.b.receiveResults()).containsExactly("1 WR_FLUSH_ERR");
    assertThat(rig.b.events).containsExactly(EventType.QP_REQ_ERR, EventType.QP_LAST_WQE_REACHED);
    responder.reset();
    rig.b.events.clear();
    responder.flush();
    assertThat(rig.b.events).containsExactly(EventType.QP_LAST_WQE_REACHED);
  }

  @Test
  @Proves("S3.4.4")
  void aResetPutsTheReceiveOfTheMessageUnderWayBack() {
    post(1);
    post(2);
    arrive(responder, captureSend(600).get(0));
    responder.reset();
    responder.flush();
    assertThat(rig.b.receiveResults()).isEmpty();
    assertThat(queue.size()).isEqualTo(2);
    captureSend(8)
        .forEach(packet -> arrive(neighbour, packet.edited(b -> PacketEdits.psn(b, Rig.PSN_A))));
    assertThat(rig.b.receiveResults()).containsExactly("1");
  }

  @Test
  @Proves("S3.4.9")
  void anEmptyQueueIsRnrAndAcksOfferNoCredits() {
    Packet send = captureSend(8).getFirst();
    arrive(responder, send);
    post(1);
    arrive(responder, send);
    assertThat(answers)
        .containsExactly("RNR", "0x" + Integer.toHexString(AethSyndrome.ACK_UNLIMITED));
    assertThat(AethSyndrome.ACK_UNLIMITED).isEqualTo(31);
    assertThat(rig.b.receiveResults()).containsExactly("1");
  }

  @Test
  @Proves("S1.6.3")
  void aWriteWithoutRightsTakesNoReceive() {
    post(1);
    rig.a.postWriteImm(1, from, 8, to, 1);
    arrive(responder, capture().getFirst().edited(b -> PacketEdits.rkey(b, 1)));
    assertThat(answers)
        .containsExactly("0x" + Integer.toHexString(AethSyndrome.NAK_REMOTE_ACCESS_ERROR));
    assertThat(rig.b.receiveResults()).isEmpty();
    assertThat(queue.size()).isEqualTo(1);
  }
}
