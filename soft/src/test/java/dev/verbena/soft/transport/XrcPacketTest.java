package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.queue.SharedRecvQueue;
import dev.verbena.soft.queue.XrcQueue;
import dev.verbena.soft.queue.XrcReceives;
import dev.verbena.soft.transport.packets.Outbox;
import dev.verbena.soft.transport.packets.PacketDecoder;
import dev.verbena.soft.transport.responder.Responder;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Transport;
import dev.verbena.wire.Xrceth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Packets of extended reliable connections. */
class XrcPacketTest {
  private static final int SRQ = 0xabcdef;

  private final Rig rig = Rig.of(Service.XRC, /* loopback= */ false);
  private final Block here = rig.a.memory(4096).scribble(1);
  private final Block there = rig.b.memory(4096).scribble(2);
  private long nextId;

  private void post(WrOpcode opcode, int length, Consumer<SendWqe> more) {
    rig.a.post(
        nextId++,
        opcode,
        SendFlags.SIGNALED,
        wqe -> {
          wqe.srqNum(SRQ);
          wqe.remote(there.addr(), there.rkey());
          wqe.data.add(here.lkey(), here.addr(), length);
          more.accept(wqe);
        });
  }

  private void postEveryOperation() {
    for (int length : new int[] {8, 600, 1024}) {
      post(WrOpcode.SEND, length, wqe -> {});
      post(WrOpcode.SEND_WITH_IMM, length, wqe -> wqe.immOrKey(5));
      post(WrOpcode.RDMA_WRITE, length, wqe -> {});
      post(WrOpcode.RDMA_WRITE_WITH_IMM, length, wqe -> wqe.immOrKey(6));
      post(WrOpcode.RDMA_READ, length, wqe -> {});
    }
    post(WrOpcode.ATOMIC_FETCH_AND_ADD, 8, wqe -> wqe.operands(0, 1));
    post(WrOpcode.ATOMIC_CMP_AND_SWP, 8, wqe -> wqe.operands(1, 2));
  }

  @Test
  @Proves("S7.10")
  void everyRequestNamesTheSharedQueueBehindBthAndNoResponseDoes() {
    for (int i = 0; i < 20; i++) {
      rig.b.postRecv(i, there);
    }
    postEveryOperation();
    rig.settle();
    assertThat(rig.a.sendResults()).hasSize((int) nextId).noneMatch(text -> text.contains(" "));

    Set<Integer> requests = new TreeSet<>();
    for (Packet packet : rig.a.out.log) {
      requests.add(packet.opcode());
      assertThat(packet.opcode() & 0xe0).isEqualTo(0xa0);
      assertThat(Xrceth.srqn(packet.segment(), Bth.LENGTH)).as("%s", packet).isEqualTo(SRQ);
      assertThat(packet.view().destQpn).isEqualTo(rig.b.parameters.qpNum);
    }
    // SEND and WRITE: first, middle, last and only, the latter two with immediate data too.
    assertThat(requests)
        .containsExactly(
            0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xab, 0xac, 0xb3,
            0xb4);
    Set<Integer> responses = new TreeSet<>();
    for (Packet packet : rig.b.out.log) {
      responses.add(packet.opcode());
      assertThat(Opcode.row(packet.opcode()).transport).isEqualTo(Transport.XRC);
      assertThat(Opcode.row(packet.opcode()).has(Xrceth.BIT)).isFalse();
      assertThat(packet.view().destQpn).isEqualTo(rig.a.parameters.qpNum);
    }
    assertThat(responses).containsExactly(0xad, 0xae, 0xaf, 0xb0, 0xb1, 0xb2);
  }

  @Test
  @Proves("S12.6.6")
  void aMessageMustGoToOneSharedQueueAlone() {
    rig.b.postRecv(1, there);
    post(WrOpcode.SEND, 600, wqe -> {});
    rig.pump();
    List<Packet> packets = new ArrayList<>(rig.a.out.flight);
    rig.a.out.flight.clear();
    rig.inject(packets.get(0));
    rig.inject(packets.get(1).edited(bytes -> Xrceth.write(bytes, Bth.LENGTH, SRQ + 1)));
    assertThat(rig.b.out.log.getLast().view().aethSyndrome())
        .isEqualTo(AethSyndrome.NAK_INVALID_REQUEST);
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.b.receiveResults()).containsExactly("1 WR_FLUSH_ERR");
  }

  /** A target of B whose requests name a shared queue of another domain. */
  private final class Target {
    final Domain domain = new Domain();
    final Region region =
        rig.b.keys.register(there.memory(), there.addr(), Endpoint.RIGHTS, domain);
    final Map<Integer, XrcQueue> queues = new HashMap<>();
    final Responder responder = new Responder(rig.b.core, new XrcReceives(queues::get, 1));
    final Outbox outbox = new Outbox(rig.b.core, responder, () -> true);

    Target() {
      queues.put(
          SRQ,
          new XrcQueue(
              this, new SharedRecvQueue(1, 1, Guard.NONE, () -> {}), rig.b.recvRing, domain));
      responder.start(Rig.PSN_A);
      outbox.clear();
    }

    void arrive() {
      rig.pump();
      Chunk request = new Chunk();
      PacketDecoder.request(rig.a.out.flight.removeFirst().view(), rig.a.gid, request);
      responder.receive(request, responder.obstacle(request), outbox);
    }

    Packet answer() {
      outbox.drain(rig.b.out, new Budget());
      return rig.b.out.log.getLast();
    }
  }

  @Test
  @Proves("S7.5")
  void aKeyIsOneOfTheDomainOfTheSharedQueueThatTheRequestNames() {
    Target target = new Target();
    byte[] theirs = here.bytes(0, 8);
    post(WrOpcode.RDMA_WRITE, 8, wqe -> wqe.remote(there.addr(), target.region.rkey()));
    target.arrive();
    assertThat(target.answer().view().aethSyndrome()).isEqualTo(AethSyndrome.ACK_UNLIMITED);
    assertThat(there.bytes(0, 8)).isEqualTo(theirs);
    post(WrOpcode.RDMA_READ, 8, wqe -> wqe.remote(there.addr(), target.region.rkey()));
    target.arrive();
    assertThat(target.answer().is(Opcode.XRC_READ_RESPONSE_ONLY)).isTrue();
    post(WrOpcode.RDMA_WRITE, 8, wqe -> {});
    target.arrive();
    assertThat(target.answer().view().aethSyndrome())
        .as("a key of the queue pair's own domain")
        .isEqualTo(AethSyndrome.NAK_REMOTE_ACCESS_ERROR);
  }

  @Test
  @Proves("S7.5")
  void aReadIsNotAnsweredOnceTheSharedQueueThatItNamedHasEnded() {
    Target target = new Target();
    post(WrOpcode.RDMA_READ, 8, wqe -> wqe.remote(there.addr(), target.region.rkey()));
    target.arrive();
    target.queues.clear();
    assertThat(target.answer().view().aethSyndrome())
        .isEqualTo(AethSyndrome.NAK_REMOTE_ACCESS_ERROR);
  }

  /** A program may expect a domain with a file to be shared with other processes. */
  @Test
  void whoRefusesARequestForAQueueThatIsNotThereSaysWhereItLooked() {
    Target target = new Target();
    target.queues.clear();
    post(WrOpcode.SEND, 8, wqe -> {});
    target.arrive();
    assertThat(target.answer().view().aethSyndrome()).isEqualTo(AethSyndrome.NAK_INVALID_REQUEST);
    assertThat(rig.b.refusals).hasSize(1);
    assertThat(rig.b.refusals.getFirst())
        .contains("no shared receive queue with the number 0xabcdef in this process")
        .contains("not shared between processes");
  }
}
