package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Reth;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which memory the responder accesses, and what it does without the right to. */
final class ResponderAccessTest extends ResponderFixture {
  @Test
  @Proves("S1.6/06")
  void aKeyThatNoRegionHasIsARemoteAccessError() {
    rig.b.postRecv(1, to);
    rig.inject(captureWrite(8).edited(b -> PacketEdits.rkey(b, to.rkey() ^ 1)));
    assertRefused(AethSyndrome.NAK_REMOTE_ACCESS_ERROR, Rig.PSN_A);
    assertThat(rig.b.events).containsExactly(EventType.QP_ACCESS_ERR);
    assertThat(rig.b.receiveResults()).containsExactly("1 WR_FLUSH_ERR");
    assertThat(rig.b.count(Counter.ACCESS_ERRORS)).isEqualTo(1);
  }

  @Test
  @Proves({"S1.6/06", "S5.2.4"})
  void theLocalKeyGivesNoRemoteAccess() {
    assertThat(to.lkey()).isNotEqualTo(to.rkey());
    rig.inject(captureWrite(8).edited(b -> PacketEdits.rkey(b, to.lkey())));
    assertRefused(AethSyndrome.NAK_REMOTE_ACCESS_ERROR, Rig.PSN_A);
    assertThat(to.bytes()).containsOnly(0);
  }

  @Test
  @Proves("S1.6/06")
  void aRegionOfAnotherDomainIsARemoteAccessError() {
    moveTargetToAnotherDomain();
    rig.inject(captureWrite(8));
    assertRefused(AethSyndrome.NAK_REMOTE_ACCESS_ERROR, Rig.PSN_A);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 4096 - 1999, 1L << 62, Long.MIN_VALUE, -4096})
  @Proves("S1.6/06")
  void ofAWriteThatLeavesTheRegionNothingIsWritten(long offset) {
    rig.a.postWrite(1, from, 2000, to);
    rig.inject(capture().getFirst().edited(b -> PacketEdits.va(b, to.addr() + offset)));
    assertRefused(AethSyndrome.NAK_REMOTE_ACCESS_ERROR, Rig.PSN_A);
    assertThat(to.bytes()).containsOnly(0);
  }

  @Test
  @Proves("S1.6/06")
  void aRegionWithoutTheRightIsARemoteAccessError() {
    Block weak = rig.b.memory(64, Access.LOCAL_WRITE | Access.REMOTE_READ, Arena.ofAuto());
    rig.a.postWrite(1, from, 8, weak);
    rig.a.postWrite(2, from, 8, weak);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 REM_ACCESS_ERR", "2 WR_FLUSH_ERR");
    assertThat(weak.bytes()).containsOnly(0);
  }

  @Test
  @Proves("S12.6.7")
  void theLongestRequestsAreJudgedByTheirMemoryAndLongerOnesAreInvalid() {
    for (long length : new long[] {Reth.MAX_DMA_LENGTH, Reth.MAX_DMA_LENGTH + 1}) {
      int refusal =
          length == Reth.MAX_DMA_LENGTH
              ? AethSyndrome.NAK_REMOTE_ACCESS_ERROR
              : AethSyndrome.NAK_INVALID_REQUEST;
      Rig reading = Rig.packets();
      Block source = reading.b.memory(8);
      reading.a.postRead(1, reading.a.memory(8), 8, source);
      reading.a.pump();
      Packet read = reading.a.out.flight.removeFirst();
      reading.inject(read.edited(b -> PacketEdits.length(b, (int) length)));
      assertThat(reading.b.out.log.getLast().view().aethSyndrome()).isEqualTo(refusal);

      Rig writing = Rig.packets();
      writing.a.postWrite(1, writing.a.memory(1000), 1000, writing.b.memory(8));
      writing.a.pump();
      Packet first = writing.a.out.flight.removeFirst();
      writing.inject(first.edited(b -> PacketEdits.length(b, (int) length)));
      assertThat(writing.b.out.log.getLast().view().aethSyndrome()).isEqualTo(refusal);

      Rig flushing = Rig.packets();
      Block target = flushing.b.memory(8);
      flushing.a.post(
          1,
          WrOpcode.FLUSH,
          SendFlags.SIGNALED,
          wqe -> {
            wqe.remote(target.addr(), target.rkey());
            wqe.flush(length, FlushType.GLOBAL, FlushLevel.RANGE.number());
          });
      flushing.pump();
      flushing.deliverToB();
      assertThat(flushing.b.out.log.getLast().view().aethSyndrome()).isEqualTo(refusal);
    }
  }

  @Test
  @Proves("S1.7.1")
  void ofAnEmptyWriteOrReadKeyAndAddressAreNotChecked() {
    rig.a.postRead(1, from, 0, new Block(from.region()));
    rig.a.postWrite(2, from, 0, new Block(from.region()));
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
  }

  @Test
  @Proves("S1.7.1")
  void anEmptySendConsumesAReceiveWithoutElements() {
    rig.b.postRecv(4, wqe -> {});
    rig.a.postSend(1, from, 0);
    rig.deliverAll();
    WorkCompletion completion = rig.b.pollReceives().getFirst();
    assertThat(completion.isSuccess()).isTrue();
    assertThat(completion.byteLen()).isZero();
  }

  @Test
  @Proves("S1.7.2")
  void aWriteWithImmediateNeverTouchesTheReceivesElements() {
    rig.b.postRecv(4, wqe -> wqe.data().add(12345, 0, 8));
    rig.b.postRecv(5, wqe -> {});
    rig.a.postWriteImm(1, from, 1000, to, 0x01020304);
    rig.a.postWriteImm(2, from, 0, to, 7);
    rig.deliverAll();
    List<WorkCompletion> completions = rig.b.pollReceives();
    assertThat(completions.get(0).opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
    assertThat(completions.get(0).wcFlags()).isEqualTo(WcFlags.WITH_IMM);
    assertThat(completions.get(0).immData()).isEqualTo(0x01020304);
    assertThat(completions.get(0).byteLen()).isEqualTo(1000);
    assertThat(completions.get(1).byteLen()).isZero();
    assertThat(completions.get(1).wrId()).isEqualTo(5);
  }

  @Test
  @Proves({"S3.2.3", "S1.6/08"})
  void aMessageLongerThanTheReceiveFailsBothSidesAndOverrunsNothing() {
    rig.b.postRecv(1, to, 300);
    rig.b.postRecv(2, to);
    rig.a.postSend(1, from, 600);
    rig.deliverAll();
    assertThat(rig.b.receiveResults()).containsExactly("1 LOC_LEN_ERR", "2 WR_FLUSH_ERR");
    assertThat(rig.a.sendResults()).containsExactly("1 REM_INV_REQ_ERR");
    assertThat(to.bytes(300, 3796)).containsOnly(0);
    assertThat(rig.a.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
    rig.b.postRecv(3, to);
    rig.b.responder.flush();
    assertThat(rig.b.receiveResults()).as("posted in ERR").containsExactly("3 WR_FLUSH_ERR");
  }

  @Test
  void aWriteBehindAnAtomicWriteLandsWhereItsAddressSays() {
    rig.a.postAtomicWrite(1, to, 42);
    rig.deliverAll();
    Block target = rig.b.memory(16);
    rig.a.postWrite(2, from, 16, target);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
    assertThat(target.bytes()).isEqualTo(from.bytes(0, 16));
    assertThat(to.getLong(0)).isEqualTo(42);
  }

  @Test
  @Proves("S1.6/09")
  void aReceiveWhoseMemoryMayNotBeWrittenFailsBothSides() {
    Block readOnly = rig.b.memory(64, Access.REMOTE_READ, Arena.ofAuto());
    rig.b.postRecv(1, readOnly);
    rig.a.postSend(1, from, 8);
    rig.deliverAll();
    assertThat(rig.b.receiveResults()).containsExactly("1 LOC_PROT_ERR");
    assertThat(rig.a.sendResults()).containsExactly("1 REM_OP_ERR");
    assertThat(readOnly.bytes()).containsOnly(0);
  }

  @Test
  @Proves("S1.6/10")
  void aMisalignedAtomicIsInvalidOnlyIfEverythingElseIsRight() {
    rig.a.postFetchAdd(1, from, to, 1);
    Packet add = capture().getFirst().edited(b -> PacketEdits.va(b, to.addr() + 4));
    rig.inject(add);
    assertInvalid(Rig.PSN_A);
    Rig other = Rig.packets();
    other.inject(add);
    assertThat(other.b.out.log.getLast().view().aethSyndrome())
        .isEqualTo(AethSyndrome.NAK_REMOTE_ACCESS_ERROR);
    assertThat(to.bytes()).containsOnly(0);
  }

  @Test
  @Proves("S1.6/07")
  void eachOperationNeedsItsRightOfTheQueuePair() {
    int[] rights = {Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC};
    for (int i = 0; i < rights.length; i++) {
      int lacking = Endpoint.RIGHTS & ~rights[i];
      Rig poor = Rig.packets(p -> p.accessFlags(lacking));
      Block local = poor.a.memory(8);
      Block remote = poor.b.memory(8);
      switch (i) {
        case 0 -> poor.a.postWrite(1, local, 8, remote);
        case 1 -> poor.a.postRead(1, local, 8, remote);
        default -> poor.a.postFetchAdd(1, local, remote, 1);
      }
      poor.deliverAll();
      assertThat(poor.a.sendResults()).containsExactly("1 REM_INV_REQ_ERR");
    }
  }

  @Test
  @Proves("S5.4.1")
  void atomicsWorkInTheOrderOfTheHost() {
    to.setLong(0, 0x1122334455667788L);
    to.setLong(8, Long.MAX_VALUE);
    rig.a.postCompareSwap(1, from, to, 0x1122334455667788L, 99);
    rig.a.postCompareSwap(2, new Block(rig.a.memory(8).region()), to, 1, 2);
    rig.a.post(
        3,
        WrOpcode.ATOMIC_FETCH_AND_ADD,
        0,
        w -> {
          w.data.add(from.lkey(), from.addr() + 8, 8);
          w.remote(to.addr() + 8, to.rkey());
          w.operands(0, 1);
        });
    rig.deliverAll();
    assertThat(from.getLong(0)).isEqualTo(0x1122334455667788L);
    assertThat(to.getLong(0)).isEqualTo(99);
    assertThat(from.getLong(8)).isEqualTo(Long.MAX_VALUE);
    assertThat(to.getLong(8)).isEqualTo(Long.MIN_VALUE);
    assertThat(rig.a.pollSends())
        .extracting(WorkCompletion::opcode, WorkCompletion::byteLen, WorkCompletion::status)
        .containsOnly(tuple(WcOpcode.COMP_SWAP, 8L, WcStatus.SUCCESS));
  }

  @Test
  void theFirstPacketInReadyToReceiveEstablishesTheConnectionOnce() {
    rig.b.status.state(QpState.RTR);
    rig.a.postWrite(1, from, 8, to);
    rig.a.postWrite(2, from, 8, to);
    rig.deliverAll();
    assertThat(rig.b.events).containsExactly(EventType.COMM_EST);
  }

  @Test
  void aReadWhoseRegionEndsBeforeTheAnswerIsSentIsARemoteAccessError() {
    rig.b.out.takes(0);
    rig.a.postRead(1, from, 1024, to.scribble(1));
    rig.deliverAll();
    rig.b.out.takes(2);
    rig.pump();
    rig.b.keys.remove(to.region());
    rig.b.out.takes(10);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 REM_ACCESS_ERR");
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
    assertThat(rig.b.outbox.isEmpty()).isTrue();
  }

  @Test
  void afterANakTheResponderIsDeaf() {
    rig.a.postWrite(1, from, 8, to);
    rig.a.postWrite(2, from, 8, to);
    List<Packet> packets = capture();
    rig.inject(packets.get(0).edited(b -> PacketEdits.rkey(b, 0)));
    rig.inject(packets.get(0));
    rig.inject(packets.get(1));
    assertThat(rig.b.out.log).hasSize(1);
    assertThat(rig.b.count(Counter.DROPPED_QP_STATE)).isEqualTo(2);
    assertThat(to.bytes()).containsOnly(0);
  }
}
