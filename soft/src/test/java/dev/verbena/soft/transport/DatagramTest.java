package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.queue.Destination;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Address;
import dev.verbena.wire.Grh;
import dev.verbena.wire.LocalRoute;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** UD: which fields of a datagram are checked, and which not (S3.3, S12.8). */
class DatagramTest {
  private static final int QKEY = 0x1111_1111;
  private static final Destination ANYWHERE = new Destination() {};

  private final Rig rig = Rig.of(Service.UD, false);
  private final Block from = rig.a.memory(1024).scribble(1);
  private final Block to = rig.b.memory(1024);

  private Packet capture(WrOpcode opcode, int length, int qkey) {
    rig.b.parameters.qkey(QKEY);
    rig.a.post(
        1,
        opcode,
        SendFlags.SIGNALED,
        wqe -> {
          wqe.data.add(from.lkey(), from.addr(), length);
          wqe.immOrKey(7);
          wqe.destination(ANYWHERE, 0x22, qkey);
        });
    rig.pump();
    return rig.a.out.flight.removeLast();
  }

  @ParameterizedTest
  @CsvSource({"SEND, UD_SEND_ONLY", "SEND_WITH_IMM, UD_SEND_ONLY_IMM"})
  void aDatagramIsOnePacketThatNamesSenderAndQkey(WrOpcode opcode, String wire) {
    var view = capture(opcode, 100, QKEY).view();
    assertThat(Opcode.name(view.opcode())).isEqualTo(wire);
    assertThat(view.destQpn).isEqualTo(0x22);
    assertThat(view.dethSrcQpn()).isEqualTo(0x11);
    assertThat(view.dethQkey()).isEqualTo(QKEY);
    assertThat(view.payloadLength).isEqualTo(100);
    assertThat(view.ackRequest).isFalse();
    assertThat(view.psn).isEqualTo(Rig.PSN_A);
    assertThat(capture(opcode, 0, QKEY).psn()).isEqualTo(Rig.PSN_A + 1);
    assertThat(rig.a.sendResults()).containsExactly("1", "1");
    assertThat(rig.a.requester.deadline()).isEqualTo(Clock.NEVER);
  }

  @Test
  @Proves("S1.7.11")
  void bit31OfTheQkeyAsksForTheSendersOwn() {
    rig.a.parameters.qkey(0x8000_0042);
    assertThat(capture(WrOpcode.SEND, 1, 0x8000_0001).view().dethQkey()).isEqualTo(0x8000_0042);
    assertThat(capture(WrOpcode.SEND, 1, 0x7fff_ffff).view().dethQkey()).isEqualTo(0x7fff_ffff);
  }

  @Test
  @Proves("S3.3.9")
  void neitherPsnNorSourceMatter() {
    Packet datagram = capture(WrOpcode.SEND_WITH_IMM, 10, QKEY);
    for (int i = 0; i < 3; i++) {
      rig.b.postRecv(i, to);
    }
    rig.inject(datagram.edited(bytes -> PacketEdits.psn(bytes, 77)));
    rig.b.arrive(datagram.edited(bytes -> PacketEdits.psn(bytes, 5)), new Address(99, 99));
    rig.inject(datagram);
    List<WorkCompletion> received = rig.b.pollReceives();
    assertThat(received).extracting(WorkCompletion::wrId).containsExactly(0L, 1L, 2L);
    assertThat(received).allMatch(wc -> wc.srcQp() == 0x11 && wc.byteLen() == 50);
    assertThat(received).allMatch(wc -> wc.sl() != 0);
    assertThat(received).allMatch(wc -> wc.wcFlags() == (WcFlags.GRH | WcFlags.WITH_IMM));
    assertThat(to.bytes(Grh.LENGTH, 10)).isEqualTo(from.bytes(0, 10));
    ByteBuffer header = ByteBuffer.wrap(to.bytes(0, Grh.LENGTH));
    assertThat(header.get(0) >> 4).as("IP version").isEqualTo(6);
    assertThat(header.getLong(8)).as("source").isEqualTo(rig.a.gid.hi());
    assertThat(header.getLong(16)).as("source").isEqualTo(rig.a.gid.lo());
    assertThat(rig.b.out.log).isEmpty();
    assertThat(rig.b.events).isEmpty();
  }

  @Test
  void eachRequestNamesItsDestination() {
    Destination elsewhere = new Destination() {};
    List<Destination> named = new ArrayList<>();
    rig.a.connect(new WatchedPath(chunk -> named.add(chunk.datagram.destination())));
    for (Destination each : List.of(ANYWHERE, elsewhere)) {
      rig.a.post(1, WrOpcode.SEND, 0, wqe -> wqe.destination(each, 0x22, QKEY));
    }
    rig.a.requester.run(new Budget());
    assertThat(named).containsExactly(ANYWHERE, elsewhere);
  }

  @ParameterizedTest
  @CsvSource({"0xffff, 0x7fff, 1", "0x7fff, 0xffff, 1", "0x7fff, 0x7fff, 0", "0xffff, 0x8001, 0"})
  @Proves("S3.3.7")
  void aPkeyMustMatchAndOneSideBeFullMember(String ours, String theirs, int accepted) {
    rig.b.parameters.pkey(Integer.decode(ours));
    rig.b.postRecv(1, to);
    Packet datagram = capture(WrOpcode.SEND, 8, QKEY);
    rig.inject(datagram.edited(b -> PacketEdits.pkey(b, Integer.decode(theirs))));
    assertThat(rig.b.receiveResults()).hasSize(accepted);
    assertThat(rig.b.count(Counter.DROPPED_PKEY)).isEqualTo(1 - accepted);
    assertThat(rig.b.out.log).isEmpty();
  }

  @Test
  @Proves("S3.3.6")
  void aQkeyMustBeEqual() {
    rig.b.postRecv(1, to);
    rig.inject(capture(WrOpcode.SEND, 8, QKEY ^ 1));
    assertThat(rig.b.pollReceives()).isEmpty();
    assertThat(rig.b.count(Counter.DROPPED_QKEY)).isEqualTo(1);
    rig.inject(capture(WrOpcode.SEND, 8, QKEY));
    assertThat(rig.b.receiveResults()).containsExactly("1");
  }

  @ParameterizedTest
  @CsvSource({"39, 0", "40, 1", "47, 8"})
  @Proves({"S3.2.5", "S3.3.1"})
  void aReceiveMustHoldTheHeaderToo(int room, int tooLong) {
    rig.b.postRecv(1, to, room);
    rig.inject(capture(WrOpcode.SEND, tooLong, QKEY));
    assertThat(rig.b.pollReceives()).isEmpty();
    assertThat(to.bytes()).containsOnly(0);
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
    assertThat(rig.b.count(Counter.INVALID_REQUESTS)).isEqualTo(1);
  }

  @Test
  void aReceiveThatCannotBeWrittenIsTheReceiversOwnFault() {
    Block readOnly = rig.b.memory(1024, Access.REMOTE_READ, Arena.ofAuto());
    rig.b.postRecv(1, readOnly);
    rig.inject(capture(WrOpcode.SEND, 8, QKEY));
    assertThat(rig.b.receiveResults()).containsExactly("1 LOC_PROT_ERR");
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.b.events).containsExactly(EventType.QP_REQ_ERR);
  }

  @Test
  @Proves("S3.3.2")
  void withoutAPacketTheHeaderIsWhatAPacketWouldHaveHad() {
    Chunk chunk = new Chunk();
    chunk.begin(Operation.SEND, true, true, 0, 1);
    chunk.bth(new Address(0xfd00L << 48, 1), 5, 0xffff, false, false);
    chunk.immediate(1);
    chunk.payload.add(from.memory(), 0, 5);
    chunk.datagram.route(new Address(0xfd00L << 48, 2), 0x12, 0xabcde, 9, null);
    MemorySegment area = MemorySegment.ofArray(new byte[Grh.LENGTH]);
    chunk.datagram.writeGrh(chunk, area);
    MemorySegment expected = MemorySegment.ofArray(new byte[Grh.LENGTH]);
    int packet = 12 + 8 + 4 + 8 + 4;
    Grh.write(
        expected,
        0,
        new Address(0xfd00L << 48, 1),
        new Address(0xfd00L << 48, 2),
        0x12,
        0xabcde,
        9,
        packet);
    assertThat(area.mismatch(expected)).isEqualTo(-1);
    assertThat(dev.verbena.verbs.Grh.of(area).flowLabel()).isEqualTo(0xabcde);
  }

  @Test
  void theServiceLevelTellsWhichHeaderTheReceiveBeginsWith() {
    Chunk chunk = new Chunk();
    chunk.datagram.route(new Address(0, 0xffff_0a01_0203L), 0, 0, 64, null);
    assertThat(serviceLevel(chunk)).isEqualTo(10);
    chunk.datagram.route(new Address(0xfd00L << 48, 0xffff_0a01_0203L), 0, 0, 64, null);
    assertThat(serviceLevel(chunk)).isEqualTo(9);
    chunk.datagram.route(new Address(0, 1), 0, 0, 64, null);
    assertThat(serviceLevel(chunk)).isEqualTo(9);
  }

  private static int serviceLevel(Chunk chunk) {
    WorkCompletion completion = new WorkCompletion();
    chunk.datagram.describe(completion);
    return completion.sl();
  }

  @Test
  void onInfiniBandTheHeaderIsFollowedByNoUdp() {
    Chunk chunk = new Chunk();
    chunk.begin(Operation.SEND, true, true, 0, 1);
    chunk.bth(new Address(0xfe80L << 48, 1), 5, 0xffff, false, false);
    chunk.payload.add(from.memory(), 0, 6);
    LocalRoute route = new LocalRoute(4, 9, 1, 3, true);
    chunk.datagram.route(new Address(0xfe80L << 48, 2), 0x12, 0xabcde, 0, route);
    byte[] area = new byte[Grh.LENGTH];
    chunk.datagram.writeGrh(chunk, MemorySegment.ofArray(area));
    ByteBuffer header = ByteBuffer.wrap(area);
    assertThat(header.getShort(4)).as("BTH to ICRC").isEqualTo((short) (12 + 8 + 8 + 4));
    assertThat(header.get(6)).as("next header").isEqualTo((byte) 0x1b);
    assertThat(header.get(7)).as("hop limit").isZero();
    assertThat(header.getLong(16)).as("source").isEqualTo(1);
    assertThat(header.getLong(32)).as("destination").isEqualTo(2);
  }

  @Test
  void onInfiniBandACompletionTellsTheLocalRoute() {
    Chunk chunk = new Chunk();
    chunk.datagram.sender(0x77, 1);
    chunk.datagram.route(new Address(0xfe80L << 48, 2), 0, 0, 0, new LocalRoute(4, 9, 1, 3, false));
    WorkCompletion completion = new WorkCompletion();
    chunk.datagram.describe(completion);
    assertThat(chunk.datagram.hasGrh()).isFalse();
    assertThat(completion.srcQp()).isEqualTo(0x77);
    assertThat(completion.slid()).isEqualTo(4);
    assertThat(completion.dlidPathBits()).isEqualTo(1);
    assertThat(completion.sl()).isEqualTo(3);
    chunk.datagram.route(new Address(0xfe80L << 48, 2), 0, 0, 0, null);
    chunk.datagram.describe(completion);
    assertThat(completion.slid()).as("of RoCE").isZero();
    assertThat(completion.dlidPathBits()).as("of RoCE").isZero();
  }
}
