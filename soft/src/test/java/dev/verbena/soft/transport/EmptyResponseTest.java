package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.memory.Window;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Feth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * FLUSH and ATOMIC_WRITE as packets. Both are answered by the response to an empty READ, and are
 * sent again if that is lost (S12.6.12, S12.6.3).
 */
class EmptyResponseTest {
  private static final long VALUE = 0x1122_3344_5566_7788L;
  private static final int PERSISTENT_TOO = FlushType.GLOBAL | FlushType.PERSISTENT;

  private final Rig rig = Rig.packets();
  private final Block from = rig.a.memory(1024).scribble(1);
  private final Block to = rig.b.memory(1024);

  private Packet request() {
    rig.pump();
    Packet packet = rig.a.out.flight.removeLast();
    assertThat(rig.a.out.flight).isEmpty();
    return packet;
  }

  private Packet answer() {
    return rig.b.out.log.getLast();
  }

  private void assertEmptyResponse(int psn, int msn) {
    RocePacket view = answer().view();
    assertThat(view.opcode()).isEqualTo(Opcode.RC_READ_RESPONSE_ONLY);
    assertThat(view.payloadLength).isZero();
    assertThat(view.psn).isEqualTo(psn);
    assertThat(view.aethSyndrome()).isEqualTo(AethSyndrome.ACK_UNLIMITED);
    assertThat(view.aethMsn()).isEqualTo(msn);
  }

  private void assertInvalid(int psn) {
    assertThat(answer().opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
    assertThat(answer().view().aethSyndrome()).isEqualTo(AethSyndrome.NAK_INVALID_REQUEST);
    assertThat(answer().psn()).isEqualTo(psn);
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
  }

  @Test
  @Proves({"S12.6.12", "S5.4.5", "S2.18"})
  void flushSaysWhatToFlushAndIsAnsweredWithoutData() {
    rig.a.postFlush(1, to, FlushType.GLOBAL, FlushLevel.MR);
    RocePacket view = request().view();
    assertThat(view.opcode()).isEqualTo(Opcode.RC_FLUSH);
    assertThat(view.fethType()).isEqualTo(Feth.TYPE_GLOBAL);
    assertThat(view.fethLevel()).isEqualTo(Feth.LEVEL_MR);
    assertThat(view.rethVa()).isEqualTo(to.addr());
    assertThat(view.rethRkey()).isEqualTo(to.rkey());
    assertThat(view.rethLength()).isEqualTo(1024);
    assertThat(view.psn).isEqualTo(Rig.PSN_A);

    rig.inject(rig.a.out.log.getLast());
    assertEmptyResponse(Rig.PSN_A, 1);
    rig.deliverToA();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  @Proves({"S12.6.12", "S5.4.4", "S2.18"})
  void atomicWriteCarriesTheBytesAsTheyLieInMemory() {
    rig.a.postAtomicWrite(1, to, VALUE);
    Packet packet = request();
    RocePacket view = packet.view();
    assertThat(view.opcode()).isEqualTo(Opcode.RC_ATOMIC_WRITE);
    assertThat(view.rethLength()).isEqualTo(8);
    assertThat(view.payloadLength).isEqualTo(8);
    assertThat(view.segment.get(ValueLayout.JAVA_LONG_UNALIGNED, view.payloadOffset))
        .isEqualTo(VALUE);

    rig.inject(packet);
    assertThat(to.getLong(0)).isEqualTo(VALUE);
    assertThat(to.getLong(8)).isZero();
    assertEmptyResponse(Rig.PSN_A, 1);
    rig.deliverToA();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  @Proves("S12.6.3")
  void aRepeatedAtomicWriteIsAnsweredAndNotExecuted() {
    rig.a.postAtomicWrite(1, to, VALUE);
    Packet packet = request();
    rig.inject(packet);
    to.setLong(0, 5);
    rig.inject(packet);
    assertThat(to.getLong(0)).isEqualTo(5);
    assertThat(rig.b.out.log).hasSize(2);
    assertEmptyResponse(Rig.PSN_A, 1);
    rig.deliverToA();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  @Proves("S12.6.3")
  void aRepeatedFlushIsAnsweredAndDisturbsNoMessageUnderWay() {
    rig.a.postFlush(1, to, FlushType.GLOBAL, FlushLevel.RANGE);
    Packet flush = request();
    rig.inject(flush);
    Block inbox = rig.b.memory(1024);
    rig.b.postRecv(2, inbox);
    rig.a.postSend(2, from, 500);
    rig.pump();
    List<Packet> parts = List.copyOf(rig.a.out.flight);
    rig.a.out.flight.clear();
    rig.inject(parts.getFirst());
    rig.inject(flush);
    assertEmptyResponse(Rig.PSN_A, 1);
    rig.inject(parts.getLast());
    assertThat(rig.b.receiveResults()).containsExactly("2");
    assertThat(inbox.bytes(0, 500)).isEqualTo(from.bytes(0, 500));
  }

  @Test
  @Proves("S12.6.3")
  void aFlushThatIsRepeatedIsAnsweredThoughItsWindowIsGone() {
    Window window = rig.b.window(true);
    rig.b.postBind(1, window, 7, to);
    rig.pump();
    rig.a.post(
        1,
        WrOpcode.FLUSH,
        SendFlags.SIGNALED,
        wqe -> {
          wqe.remote(to.addr(), window.key(7));
          wqe.flush(1024, FlushType.GLOBAL, FlushLevel.RANGE.number());
        });
    rig.b.postRecv(2, rig.b.memory(8));
    rig.a.postSendInv(2, from, 8, window.key(7));
    rig.b.out.loseOnce(packet -> packet.is(Opcode.RC_READ_RESPONSE_ONLY));
    rig.settle();
    assertThat(rig.b.receiveResults()).containsExactly("2");
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
    assertThat(rig.a.out.log.stream().filter(packet -> packet.is(Opcode.RC_FLUSH))).hasSize(2);
  }

  @Test
  @Proves("S12.6.3")
  void manyFlushesForgetNoAtomic() {
    Rig few = Rig.packets(p -> p.maxDestRdAtomic(1));
    few.a.parameters.maxRdAtomic(100);
    Block target = few.b.memory(64);
    few.a.postFetchAdd(1, few.a.memory(8), target, 5);
    few.pump();
    Packet atomic = few.a.out.log.getFirst();
    for (int i = 2; i < 60; i++) {
      few.a.postFlush(i, target, FlushType.GLOBAL, FlushLevel.RANGE);
    }
    few.settle();
    assertThat(few.a.sendResults()).hasSize(59);
    few.inject(atomic);
    assertThat(few.b.out.log.getLast().opcode()).isEqualTo(Opcode.RC_ATOMIC_ACKNOWLEDGE);
    assertThat(few.b.out.log.getLast().psn()).isEqualTo(Rig.PSN_A);
    assertThat(target.getLong(0)).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Proves("S12.6.3")
  void oneThatIsNotRememberedIsDropped(boolean flush) {
    if (flush) {
      rig.a.postFlush(1, to, FlushType.GLOBAL, FlushLevel.RANGE);
    } else {
      rig.a.postAtomicWrite(1, to, VALUE);
    }
    rig.inject(request().edited(bytes -> PacketEdits.psn(bytes, Rig.PSN_A - 1)));
    assertThat(rig.b.out.log).isEmpty();
    assertThat(to.getLong(0)).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Proves({"S12.5.5", "S12.6.12"})
  void anAcknowledgementBehindItIsNotItsAnswer(boolean flush) {
    if (flush) {
      rig.a.postFlush(1, to, FlushType.GLOBAL, FlushLevel.RANGE);
    } else {
      rig.a.postAtomicWrite(1, to, VALUE);
    }
    rig.a.postWrite(2, from, 8, rig.b.memory(8));
    rig.b.out.loseOnce(packet -> packet.is(Opcode.RC_READ_RESPONSE_ONLY));
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
    assertThat(rig.a.out.log.stream().filter(packet -> packet.psn() == Rig.PSN_A)).hasSize(2);
    assertThat(rig.b.count(Counter.DUPLICATE_REQUESTS)).isPositive();
  }

  @Test
  @Proves("S12.5.4")
  void theyCountAsOutstandingReads() {
    Rig one = Rig.packets(p -> p.maxRdAtomic(1));
    Block target = one.b.memory(64);
    one.a.postFlush(1, target, FlushType.GLOBAL, FlushLevel.RANGE);
    one.a.postAtomicWrite(2, target, VALUE);
    one.a.postFlush(3, target, FlushType.GLOBAL, FlushLevel.RANGE);
    one.pump();
    for (int sent = 1; sent <= 3; sent++) {
      assertThat(one.a.out.log).hasSize(sent);
      one.deliverToB();
      one.deliverToA();
    }
    assertThat(one.a.sendResults()).containsExactly("1", "2", "3");
  }

  @Test
  void aFencedRequestWaitsForThem() {
    rig.a.postFlush(1, to, FlushType.GLOBAL, FlushLevel.RANGE);
    rig.a.post(
        2,
        WrOpcode.RDMA_WRITE,
        SendFlags.SIGNALED | SendFlags.FENCE,
        wqe -> wqe.remote(to.addr(), to.rkey()));
    rig.pump();
    assertThat(rig.a.out.log).hasSize(1);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
  }

  @Test
  void moreFlushesThanCanBeAnsweredAreDroppedAndRepeated() {
    Rig few =
        Rig.packets(
            p -> {
              p.maxRdAtomic(16);
              p.maxDestRdAtomic(1);
            });
    Block target = few.b.memory(64);
    for (int i = 0; i < 8; i++) {
      few.a.postFlush(i, target, FlushType.GLOBAL, FlushLevel.RANGE);
    }
    few.b.out.takes(0);
    few.pump();
    few.deliverToB();
    assertThat(few.b.count(Counter.DROPPED_NO_ROOM)).isPositive();
    assertThat(few.b.status.state).isEqualTo(QpState.RTS);
    few.b.out.takes(Integer.MAX_VALUE);
    few.settle();
    assertThat(few.a.sendResults()).containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Proves("S12.6.11")
  void withoutResourcesTheyAreRefused(boolean flush) {
    Rig none = Rig.packets(p -> p.maxDestRdAtomic(0));
    none.a.parameters.maxRdAtomic(1);
    if (flush) {
      none.a.postFlush(1, none.b.memory(8), FlushType.GLOBAL, FlushLevel.RANGE);
    } else {
      none.a.postAtomicWrite(1, none.b.memory(8), VALUE);
    }
    none.deliverAll();
    assertThat(none.a.sendResults()).containsExactly("1 REM_INV_REQ_ERR");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "4, 0", "8, 0", "5, 1", "1, 2", "2, 3"})
  @Proves("S12.6.6")
  void flushOfAnUnknownKindIsRefused(int type, int level) {
    rig.a.postFlush(1, to, FlushType.GLOBAL, FlushLevel.RANGE);
    rig.inject(request().edited(bytes -> Feth.write(bytes, Bth.LENGTH, level, type)));
    assertInvalid(Rig.PSN_A);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  @Proves("S4.4.2")
  void theQueuePairMustAllowEachKindOfFlush(int type) {
    int missing =
        (type & FlushType.PERSISTENT) != 0 ? Access.FLUSH_PERSISTENT : Access.FLUSH_GLOBAL;
    rig.b.parameters.accessFlags(Endpoint.RIGHTS & ~missing);
    rig.a.postFlush(1, to, type, FlushLevel.RANGE);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 REM_INV_REQ_ERR");
  }

  @Test
  @Proves("S5.4.5")
  void flushToPersistenceNeedsAMappedFile() {
    rig.a.postFlush(1, to, PERSISTENT_TOO, FlushLevel.RANGE);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 REM_ACCESS_ERR");
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
  }

  @Test
  @Proves("S5.4.5")
  void ofARegionThatIsFlushedAsAWholeAddressAndLengthDoNotCount() {
    rig.a.postFlush(1, to, FlushType.GLOBAL, FlushLevel.MR);
    UnaryOperator<Packet> elsewhere =
        packet ->
            packet.edited(
                bytes -> {
                  bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, Bth.LENGTH + Feth.LENGTH, -1L);
                  bytes.set(ValueLayout.JAVA_INT_UNALIGNED, Bth.LENGTH + Feth.LENGTH + 12L, -1);
                });
    rig.inject(elsewhere.apply(request()));
    assertEmptyResponse(Rig.PSN_A, 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1024, 2000, -8})
  @Proves("S5.4.5")
  void aRangeMustLieInTheRegion(long offset) {
    rig.a.post(
        1,
        WrOpcode.FLUSH,
        0,
        wqe -> {
          wqe.remote(to.addr() + offset, to.rkey());
          wqe.flush(2, FlushType.GLOBAL, FlushLevel.RANGE.number());
        });
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 REM_ACCESS_ERR");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 7})
  @Proves("S5.4.4")
  void aMisalignedAtomicWriteIsRefused(int offset) {
    rig.a.postAtomicWrite(1, to, VALUE);
    rig.inject(request().edited(bytes -> PacketEdits.va(bytes, to.addr() + offset)));
    assertInvalid(Rig.PSN_A);
    assertThat(to.bytes()).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "8, 4", "4, 8", "16, 16", "0, 0"})
  @Proves("S5.4.4")
  void anAtomicWriteIsOfEightBytes(int announced, int carried) {
    rig.a.postAtomicWrite(1, to, VALUE);
    Packet packet = request().withLength(carried);
    rig.inject(packet.edited(bytes -> PacketEdits.length(bytes, announced)));
    assertInvalid(Rig.PSN_A);
    assertThat(to.bytes()).containsOnly(0);
  }
}
