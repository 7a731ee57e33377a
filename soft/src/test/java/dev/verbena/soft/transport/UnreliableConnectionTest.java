package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** UC: no answers and no retransmission; messages arrive whole or not at all (S12.7). MTU 256. */
class UnreliableConnectionTest {
  private static final int LONG = 1000;
  private static final int PACKETS = 4;

  private final Rig rig = Rig.of(Service.UC, false);
  private final Block from = rig.a.memory(4096).scribble(1);
  private final Block to = rig.b.memory(4096);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Proves({"S12.7.1", "S12.7.2", "S1.5.8"})
  void everyOperationArrivesAndIsCompleteWhenItWasHandedOver(boolean loopback) {
    Rig both = Rig.of(Service.UC, loopback);
    Block source = both.a.memory(4096).scribble(2);
    Block target = both.b.memory(4096);
    Block inbox = both.b.memory(4096);
    both.b.postRecv(1, inbox);
    both.b.postRecv(2, inbox);
    both.b.postRecv(3, wqe -> {});
    both.a.postSend(11, source, LONG);
    both.a.postSendImm(12, source, 3, 77);
    both.a.postWrite(13, source, LONG + 1, target);
    both.a.postWriteImm(14, source, LONG + 2, target, 78);
    both.pump();
    assertThat(both.a.sendResults()).containsExactly("11", "12", "13", "14");
    both.deliverAll();
    List<WorkCompletion> received = both.b.pollReceives();
    assertThat(received).extracting(WorkCompletion::wrId).containsExactly(1L, 2L, 3L);
    assertThat(received).extracting(WorkCompletion::byteLen).containsExactly(1000L, 3L, 1002L);
    assertThat(received.get(1).immData()).isEqualTo(77);
    assertThat(received.get(2).opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
    assertThat(target.bytes(0, LONG + 2)).isEqualTo(source.bytes(0, LONG + 2));
    assertThat(both.b.out.log).isEmpty();
    assertThat(both.a.requester.deadline()).isEqualTo(Clock.NEVER);
  }

  @ParameterizedTest
  @CsvSource({
    "SEND, 0, UC_SEND_ONLY",
    "SEND, 600, UC_SEND_FIRST UC_SEND_MIDDLE UC_SEND_LAST",
    "SEND_WITH_IMM, 1, UC_SEND_ONLY_IMM",
    "SEND_WITH_IMM, 300, UC_SEND_FIRST UC_SEND_LAST_IMM",
    "SEND_WITH_INV, 1, UC_SEND_ONLY_INV",
    "SEND_WITH_INV, 300, UC_SEND_FIRST UC_SEND_LAST_INV",
    "RDMA_WRITE, 5, UC_WRITE_ONLY",
    "RDMA_WRITE, 600, UC_WRITE_FIRST UC_WRITE_MIDDLE UC_WRITE_LAST",
    "RDMA_WRITE_WITH_IMM, 0, UC_WRITE_ONLY_IMM",
    "RDMA_WRITE_WITH_IMM, 300, UC_WRITE_FIRST UC_WRITE_LAST_IMM"
  })
  @Proves({"S12.7.2", "S1.1.a"})
  void packetsHaveTheOpcodesOfUcAndAskForNoAck(WrOpcode opcode, int length, String opcodes) {
    rig.a.post(1, opcode, SendFlags.SIGNALED, wqe -> describe(wqe, length));
    rig.pump();
    assertThat(rig.a.out.log)
        .extracting(packet -> Opcode.name(packet.opcode()))
        .containsExactly(opcodes.split(" "));
    assertThat(rig.a.out.log).noneMatch(packet -> packet.view().ackRequest);
    assertThat(Opcode.UC_SEND_LAST_INV).isEqualTo(0x20 + 0x16);
    assertThat(Opcode.UC_SEND_ONLY_INV).isEqualTo(0x20 + 0x17);
  }

  @Test
  @Proves({"S12.7.1", "S3.2.2"})
  void theRestOfAMessageWhoseBeginningWasDroppedTakesNoReceive() {
    rig.a.postSend(11, from, LONG);
    rig.a.postSend(12, from, 8);
    rig.pump();
    List<Packet> packets = List.copyOf(rig.a.out.flight);
    rig.a.out.flight.clear();
    assertThat(packets).hasSize(PACKETS + 1);
    rig.inject(packets.getFirst());
    rig.b.postRecv(1, to);
    packets.subList(1, PACKETS).forEach(rig::inject);
    assertThat(rig.b.receiveResults()).isEmpty();
    assertThat(rig.b.count(Counter.DROPPED_OUT_OF_ORDER)).isEqualTo(PACKETS - 1);
    rig.inject(packets.getLast());
    assertThat(rig.b.receiveResults()).containsExactly("1");
    assertThat(to.bytes(8, 100)).containsOnly(0);
  }

  @Test
  @Proves("S12.7.1")
  void whatWasMissedDoesNotContinueTheMessageThatItsGapHasEnded() {
    rig.b.postRecv(1, to);
    rig.a.postSend(11, from, LONG);
    rig.a.postSend(12, from, 8);
    rig.pump();
    List<Packet> packets = List.copyOf(rig.a.out.flight);
    rig.a.out.flight.clear();
    rig.inject(packets.get(0));
    rig.inject(packets.get(2));
    packets.subList(1, PACKETS).forEach(rig::inject);
    assertThat(rig.b.receiveResults()).isEmpty();
    rig.inject(packets.getLast());
    assertThat(rig.b.receiveResults()).containsExactly("1");
    assertThat(to.bytes(0, 8)).isEqualTo(from.bytes(0, 8));
  }

  @Test
  @Proves("S12.7.1")
  void aPacketIsLateUpToSixtyFourThousandBehind() {
    rig.b.postRecv(1, to);
    rig.b.postRecv(2, to);
    rig.a.postSend(11, from, 8);
    rig.pump();
    Packet send = rig.a.out.flight.removeFirst();
    int expected = 0x500000;
    rig.b.responder.start(expected);
    rig.inject(send.edited(b -> PacketEdits.psn(b, expected - 65_536)));
    assertThat(rig.b.count(Counter.DUPLICATE_REQUESTS)).isEqualTo(1);
    assertThat(rig.b.receiveResults()).isEmpty();
    rig.inject(send.edited(b -> PacketEdits.psn(b, expected - 65_537)));
    assertThat(rig.b.count(Counter.DUPLICATE_REQUESTS)).isEqualTo(1);
    assertThat(rig.b.receiveResults()).containsExactly("1");
  }

  /** Injects messages of one packet with so many PSNs. */
  private void injectRun(Packet only, int psn, int count) {
    for (int i = 0; i < count; i++) {
      int next = psn + i;
      rig.inject(only.edited(b -> PacketEdits.psn(b, next)));
    }
  }

  private Packet captureOnly() {
    rig.a.postSend(11, from, 8);
    rig.pump();
    return rig.a.out.flight.removeFirst();
  }

  @Test
  @Proves("S12.7.1")
  void aForgedPacketAheadCostsThePeerFewPackets() {
    rig.b.postRecv(1, to);
    rig.b.postRecv(2, to);
    Packet only = captureOnly();
    injectRun(only, Rig.PSN_A + 5_000, 1);
    assertThat(rig.b.receiveResults()).containsExactly("1");
    injectRun(only, Rig.PSN_A, 128);
    assertThat(rig.b.receiveResults()).isEmpty();
    injectRun(only, Rig.PSN_A + 128, 1);
    assertThat(rig.b.receiveResults()).containsExactly("2");
    rig.b.postRecv(3, to);
    injectRun(only, Rig.PSN_A + 129, 1);
    assertThat(rig.b.receiveResults()).containsExactly("3");
    assertThat(rig.b.count(Counter.DUPLICATE_REQUESTS)).isEqualTo(128);
    assertThat(rig.b.count(Counter.UNLIKELY_PSNS)).isZero();
  }

  @Test
  @Proves("S12.7.1")
  void thePeerIsFollowedAgainFromTheStartOfAMessage() {
    rig.b.postRecv(1, to);
    rig.b.postRecv(2, to);
    Packet only = captureOnly();
    rig.a.postSend(12, from, LONG);
    rig.pump();
    List<Packet> message = List.copyOf(rig.a.out.flight);
    injectRun(only, Rig.PSN_A + 5_000, 1);
    injectRun(only, Rig.PSN_A + 1, 127);
    int psn = Rig.PSN_A + 128;
    for (int i = 0; i < 2 * PACKETS; i++) {
      int next = psn + i;
      rig.inject(message.get(i % PACKETS).edited(b -> PacketEdits.psn(b, next)));
    }
    // The 128 dropped ones end with the first packet of the first of the two messages.
    assertThat(rig.b.receiveResults()).containsExactly("1", "2");
    assertThat(rig.b.count(Counter.DROPPED_OUT_OF_ORDER)).isEqualTo(PACKETS - 1);
    assertThat(to.bytes(0, LONG)).isEqualTo(from.bytes(0, LONG));
  }

  @Test
  @Proves({"S12.7.1", "S12.11"})
  void packetsThatWereOvertakenStayLateHoweverManyTheyAre() {
    rig.b.postRecv(1, to);
    rig.b.postRecv(2, to);
    rig.b.postRecv(3, to);
    Packet only = captureOnly();
    injectRun(only, Rig.PSN_A + 5_000, 1);
    injectRun(only, Rig.PSN_A, 128);
    injectRun(only, Rig.PSN_A + 5_001, 1);
    injectRun(only, Rig.PSN_A + 128, 128);
    // A run is one only if nothing is missing.
    injectRun(only, Rig.PSN_A + 257, 128);
    assertThat(rig.b.receiveResults()).containsExactly("1", "2");
    assertThat(rig.b.count(Counter.DUPLICATE_REQUESTS)).isEqualTo(3 * 128);
  }

  @Test
  @Proves("S12.7.1")
  void whoIsFarFromTheExpectedPsnIsCounted() {
    rig.b.postRecv(1, to);
    rig.b.postRecv(2, to);
    Packet only = captureOnly();
    injectRun(only, Rig.PSN_A + (1 << 16) + 1, 1);
    injectRun(only, Rig.PSN_A, 1);
    assertThat(rig.b.receiveResults()).containsExactly("1", "2");
    assertThat(rig.b.count(Counter.UNLIKELY_PSNS)).isEqualTo(2);
  }

  private void describe(SendWqe wqe, int length) {
    wqe.data.add(from.lkey(), from.addr(), length);
    wqe.remote(to.addr(), to.rkey());
    wqe.immOrKey(to.rkey());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  @Proves("S12.7.1")
  void aMessageThatLostAPacketIsDroppedAndItsReceiveTakesTheNext(int lost) {
    rig.b.postRecv(1, to);
    rig.a.postSend(11, from, LONG);
    Block next = rig.a.memory(700).scribble(3);
    rig.a.postSend(12, next, 700);
    rig.pump();
    rig.a.out.flight.remove(lost);
    rig.deliverAll();
    List<WorkCompletion> received = rig.b.pollReceives();
    assertThat(received).hasSize(1);
    assertThat(received.getFirst().wrId()).isEqualTo(1);
    assertThat(received.getFirst().byteLen()).isEqualTo(700);
    assertThat(to.bytes(0, 700)).isEqualTo(next.bytes());
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
    assertThat(rig.b.out.log).isEmpty();
    assertThat(rig.b.count(Counter.DROPPED_OUT_OF_ORDER)).isEqualTo(lost == 3 ? 0 : 3 - lost);
  }

  @Test
  @Proves("S12.7.1")
  void theEndOfOneMessageIsNeverTakenForTheEndOfAnother() {
    rig.b.postRecv(1, to);
    rig.a.postSend(11, from, 600);
    rig.a.postSend(12, from, 600);
    rig.pump();
    // First of the one, last of the other: PSNs 0 and 5.
    rig.a.out.flight.subList(1, 5).clear();
    rig.deliverAll();
    assertThat(rig.b.pollReceives()).isEmpty();
    rig.a.postSend(13, from, 1);
    rig.deliverAll();
    assertThat(rig.b.pollReceives()).singleElement().returns(1L, WorkCompletion::byteLen);
  }

  @Test
  @Proves("S12.7.1")
  void anAbortedWriteLeavesPartOfItsDataAndTellsNobody() {
    rig.b.postRecv(1, wqe -> {});
    rig.a.postWriteImm(11, from, LONG, to, 5);
    rig.pump();
    rig.a.out.flight.remove(2);
    rig.deliverAll();
    assertThat(to.bytes(0, 512)).isEqualTo(from.bytes(0, 512));
    assertThat(to.bytes(512, 512)).containsOnly(0);
    assertThat(rig.b.pollReceives()).isEmpty();
    assertThat(rig.a.sendResults()).containsExactly("11");
  }

  @Test
  @Proves("S12.7.1")
  void repeatedAndLatePacketsChangeNothing() {
    for (int i = 0; i < 4; i++) {
      rig.b.postRecv(i, to);
    }
    rig.a.out.fault(packet -> List.of(packet, packet));
    rig.a.postSend(11, from, LONG);
    rig.a.postSend(12, from, 1);
    rig.pump();
    Packet late = rig.a.out.log.getFirst();
    rig.deliverAll();
    rig.inject(late);
    assertThat(rig.b.receiveResults()).containsExactly("0", "1");
    assertThat(rig.b.count(Counter.DUPLICATE_REQUESTS)).isEqualTo(PACKETS + 1 + 1);
  }

  @Test
  @Proves("S12.7.1")
  void aPeerThatStartedAnewIsFollowed() {
    rig.b.postRecv(1, to);
    rig.a.postSend(11, from, 5);
    rig.pump();
    Packet only = rig.a.out.log.getFirst();
    rig.inject(only.edited(bytes -> PacketEdits.psn(bytes, Rig.PSN_A - (1 << 20))));
    assertThat(rig.b.receiveResults()).containsExactly("1");
  }

  @Test
  @Proves({"S3.2.2", "S1.6.5"})
  void withoutAReceiveTheWholeMessageIsDropped() {
    rig.a.postSend(11, from, LONG);
    rig.pump();
    rig.inject(rig.a.out.flight.removeFirst());
    rig.b.postRecv(1, to);
    rig.deliverAll();
    assertThat(rig.b.pollReceives()).isEmpty();
    rig.a.postSend(12, from, 3);
    rig.deliverAll();
    assertThat(rig.b.receiveResults()).containsExactly("1");
    assertThat(rig.a.sendResults()).containsExactly("11", "12");
    assertThat(rig.b.count(Counter.DROPPED_NO_RECEIVE)).isEqualTo(1);
    assertThat(rig.b.out.log).isEmpty();
  }

  @Test
  @Proves({"S3.2.4", "S1.6.5"})
  void aMessageThatIsTooLongIsDroppedAndItsReceiveTakesTheNext() {
    rig.b.postRecv(1, to, 300);
    rig.a.postSend(11, from, LONG);
    rig.a.postSend(12, from, 300);
    rig.deliverAll();
    assertThat(rig.b.pollReceives()).singleElement().returns(300L, WorkCompletion::byteLen);
    assertThat(to.bytes(300, 700)).containsOnly(0);
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
    assertThat(rig.a.sendResults()).containsExactly("11", "12");
  }

  @ParameterizedTest
  @ValueSource(strings = {"key", "bounds", "right of the region", "right of the queue pair"})
  @Proves({"S12.7.1", "S1.6.5", "S4.4.2"})
  void aWriteThatIsNotAllowedIsDroppedInSilence(String what) {
    Block target = to;
    switch (what) {
      case "key" -> target = rig.a.memory(4096);
      case "bounds" -> target = rig.b.memory(LONG - 1);
      case "right of the region" -> target = rig.b.memory(4096, Access.LOCAL_WRITE, Arena.ofAuto());
      default -> rig.b.parameters.accessFlags(Access.REMOTE_READ);
    }
    rig.a.postWrite(11, from, LONG, target);
    rig.deliverAll();
    assertThat(target.bytes()).containsOnly(0);
    assertThat(rig.a.sendResults()).containsExactly("11");
    assertThat(rig.b.status.state).isEqualTo(QpState.RTS);
    assertThat(rig.b.out.log).isEmpty();
    assertThat(rig.b.events).isEmpty();

    rig.b.parameters.accessFlags(Access.REMOTE_WRITE);
    rig.a.postWrite(12, from, LONG, to);
    rig.deliverAll();
    assertThat(to.bytes(0, LONG)).isEqualTo(from.bytes(0, LONG));
  }

  @Test
  void aReceiveThatCannotBeWrittenIsTheReceiversOwnFault() {
    rig.b.postRecv(1, rig.a.memory(4096));
    rig.b.postRecv(2, to);
    rig.a.postSend(11, from, 8);
    rig.deliverAll();
    assertThat(rig.b.receiveResults()).containsExactly("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.b.events).containsExactly(EventType.QP_REQ_ERR);
    assertThat(rig.a.sendResults()).containsExactly("11");
    assertThat(rig.a.status.state).isEqualTo(QpState.RTS);
  }

  @Test
  @Proves({"S1.6.2", "S1.6/01", "S4.5/SQE"})
  void aSendThatFailsStopsTheSendQueueOnly() {
    rig.a.postSend(11, from, 8);
    rig.a.postSend(12, to, 8);
    rig.a.postSend(13, from, 8);
    rig.a.postRecv(21, from);
    rig.b.postRecv(22, to);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("11", "12 LOC_PROT_ERR", "13 WR_FLUSH_ERR");
    assertThat(rig.a.status.state).isEqualTo(QpState.SQE);
    rig.a.postSend(14, from, 8);
    rig.b.postSend(31, to, 8);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("14 WR_FLUSH_ERR");
    assertThat(rig.a.receiveResults()).containsExactly("21");
    assertThat(rig.a.events).doesNotContain(EventType.QP_FATAL);

    rig.a.status.state(QpState.RTS);
    rig.b.postRecv(23, to);
    rig.a.postSend(15, from, 8);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("15");
    assertThat(rig.b.receiveResults()).containsExactly("22", "23");
  }

  @Test
  @Proves("S12.7.1")
  void aMessageThatItsSenderGaveUpIsGivenUpByTheReceiver() {
    rig.b.postRecv(1, to);
    Block gone = rig.a.memory(LONG);
    rig.a.out.takes(2);
    rig.a.postSend(11, gone, LONG);
    rig.pump();
    rig.a.keys.remove(gone.region());
    rig.a.out.takes(Integer.MAX_VALUE);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("11 LOC_PROT_ERR");
    rig.a.status.state(QpState.RTS);
    rig.a.postSend(12, from, 300);
    rig.deliverAll();
    assertThat(rig.b.pollReceives()).singleElement().returns(300L, WorkCompletion::byteLen);
    assertThat(to.bytes(0, 300)).isEqualTo(from.bytes(0, 300));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @Proves({"S12.11", "S12.7.1"})
  void onABadWireOnlyWholeMessagesArriveAndInOrder(long seed) {
    Random random = new Random(seed);
    List<Block> sources = new ArrayList<>();
    int messages = 60;
    for (int i = 0; i < messages; i++) {
      rig.b.postRecv(i, rig.b.memory(1024));
      sources.add(rig.a.memory(1024).scribble(i));
      rig.a.postSendImm(i, sources.get(i), 1 + random.nextInt(1024), i);
    }
    rig.pump();
    List<Packet> wire = new ArrayList<>();
    for (Packet packet : rig.a.out.flight) {
      int fate = random.nextInt(20);
      if (fate != 0) {
        wire.add(fate == 2 && !wire.isEmpty() ? wire.size() - 1 : wire.size(), packet);
      }
      if (fate == 1) {
        wire.add(packet);
      }
    }
    rig.a.out.flight.clear();
    wire.forEach(rig::inject);
    List<WorkCompletion> received = rig.b.pollReceives();
    assertThat(received).hasSizeBetween(messages / 4, messages - 1);
    int last = -1;
    for (WorkCompletion wc : received) {
      assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(wc.immData()).isGreaterThan(last);
      last = wc.immData();
    }
    assertThat(rig.a.sendResults()).hasSize(messages);
  }
}
