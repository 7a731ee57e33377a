package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Reth;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The packets of requests; the path MTU is 256. */
class SegmentationTest {
  private static final int IMM = 0xCAFEBABE;

  private final Rig rig = Rig.packets();
  private final Block from = rig.a.memory(4096).scribble(1);
  private final Block to = rig.b.memory(4096);

  @ParameterizedTest
  @CsvSource({
    "0, RC_SEND_ONLY, 0",
    "1, RC_SEND_ONLY, 1",
    "256, RC_SEND_ONLY, 256",
    "257, RC_SEND_FIRST RC_SEND_LAST, 256 1",
    "512, RC_SEND_FIRST RC_SEND_LAST, 256 256",
    "513, RC_SEND_FIRST RC_SEND_MIDDLE RC_SEND_LAST, 256 256 1"
  })
  @Proves("S12.5.2")
  void sendIsCutAtTheMtu(int length, String opcodes, String lengths) {
    rig.a.postSend(1, from, length);
    rig.pump();
    assertShape(opcodes, lengths);
  }

  @ParameterizedTest
  @CsvSource({
    "0, RC_WRITE_ONLY, 0",
    "256, RC_WRITE_ONLY, 256",
    "257, RC_WRITE_FIRST RC_WRITE_LAST, 256 1",
    "1023, RC_WRITE_FIRST RC_WRITE_MIDDLE RC_WRITE_MIDDLE RC_WRITE_LAST, 256 256 256 255"
  })
  @Proves("S12.5.2")
  void writeIsCutAtTheMtuAndNamesItsTargetOnce(int length, String opcodes, String lengths) {
    rig.a.postWrite(1, from, length, to);
    rig.pump();
    assertShape(opcodes, lengths);
    RocePacket first = rig.a.out.log.getFirst().view();
    assertThat(first.rethVa()).isEqualTo(to.addr());
    assertThat(first.rethRkey()).isEqualTo(to.rkey());
    assertThat(first.rethLength()).isEqualTo(length);
    assertThat(rig.a.out.log.stream().filter(p -> Opcode.row(p.opcode()).has(Reth.BIT))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "0, RC_SEND_ONLY_IMM, 0",
    "300, RC_SEND_FIRST RC_SEND_LAST_IMM, 256 44",
  })
  @Proves("S12.5.2")
  void immediateDataOfASendIsInItsLastPacket(int length, String opcodes, String lengths) {
    rig.a.postSendImm(1, from, length, IMM);
    rig.pump();
    assertShape(opcodes, lengths);
    assertThat(rig.a.out.log.getLast().view().immData()).isEqualTo(IMM);
  }

  @ParameterizedTest
  @CsvSource({
    "0, RC_WRITE_ONLY_IMM, 0",
    "300, RC_WRITE_FIRST RC_WRITE_LAST_IMM, 256 44",
  })
  @Proves("S12.5.2")
  void immediateDataOfAWriteIsInItsLastPacket(int length, String opcodes, String lengths) {
    rig.a.postWriteImm(1, from, length, to, IMM);
    rig.pump();
    assertShape(opcodes, lengths);
    assertThat(rig.a.out.log.getLast().view().immData()).isEqualTo(IMM);
  }

  @Test
  void aReadAsksOnceAndTakesThePsnsOfItsAnswers() {
    rig.a.postRead(1, from, 600, to);
    rig.a.postSend(2, from, 1);
    rig.pump();
    RocePacket read = rig.a.out.log.get(0).view();
    assertThat(read.opcode()).isEqualTo(Opcode.RC_READ_REQUEST);
    assertThat(read.psn).isEqualTo(Rig.PSN_A);
    assertThat(read.rethVa()).isEqualTo(to.addr());
    assertThat(read.rethRkey()).isEqualTo(to.rkey());
    assertThat(read.rethLength()).isEqualTo(600);
    assertThat(rig.a.out.log.get(1).psn()).isEqualTo(Rig.PSN_A + 3);
  }

  @Test
  void atomicsCarryTheirOperandsAndTakeOnePsn() {
    rig.a.postCompareSwap(1, from, to, 5, 6);
    rig.a.postFetchAdd(2, from, to, 7);
    rig.pump();
    RocePacket swap = rig.a.out.log.get(0).view();
    assertThat(swap.opcode()).isEqualTo(Opcode.RC_COMPARE_SWAP);
    assertThat(swap.atomicCompare()).isEqualTo(5);
    assertThat(swap.atomicSwapOrAdd()).isEqualTo(6);
    assertThat(swap.atomicVa()).isEqualTo(to.addr());
    assertThat(swap.atomicRkey()).isEqualTo(to.rkey());
    RocePacket add = rig.a.out.log.get(1).view();
    assertThat(add.opcode()).isEqualTo(Opcode.RC_FETCH_ADD);
    assertThat(add.atomicSwapOrAdd()).isEqualTo(7);
    assertThat(add.atomicCompare()).isZero();
    assertThat(add.psn).isEqualTo(swap.psn + 1);
  }

  @Test
  @Proves("S12.5.1")
  void everyRequestTakesThePsnsOfItsPacketsOrOfItsAnswersAcrossTheWrap() {
    Rig wrapping = Rig.packets(p -> {}, 0xfffffe, Rig.PSN_B, 4 * Endpoint.DEPTH);
    Block local = wrapping.a.memory(1024);
    Block remote = wrapping.b.memory(1024);
    wrapping.a.postRead(1, local, 600, remote);
    wrapping.a.postRead(2, local, 0, remote);
    wrapping.a.postFetchAdd(3, local, remote, 1);
    wrapping.a.postFlush(4, remote, FlushType.GLOBAL, FlushLevel.MR);
    wrapping.pump();
    wrapping.a.out.flight.clear();
    assertThat(wrapping.a.out.log).extracting(Packet::psn).containsExactly(0xfffffe, 1, 2, 3);

    Rig other = Rig.packets(p -> {}, 0xfffffe, Rig.PSN_B, 4 * Endpoint.DEPTH);
    local = other.a.memory(1024);
    remote = other.b.memory(1024);
    other.a.postSend(1, local, 300);
    other.a.postAtomicWrite(2, remote, 1);
    other.a.postWrite(3, local, 0, remote);
    other.a.postCompareSwap(4, local, remote, 1, 2);
    other.a.postSend(5, local, 0);
    other.pump();
    assertThat(other.a.out.log)
        .extracting(Packet::psn)
        .containsExactly(0xfffffe, 0xffffff, 0, 1, 2, 3);
  }

  @Test
  @Proves("S12.5.3")
  void theLastPacketOfEachMessageAsksForAnAck() {
    rig.a.postSend(1, from, 1000);
    rig.a.postWrite(2, from, 1000, to);
    rig.a.postSend(3, from, 0);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(9);
    assertThat(rig.a.out.log)
        .filteredOn(packet -> Opcode.row(packet.opcode()).endsMessage)
        .hasSize(3)
        .allMatch(packet -> packet.view().ackRequest);
  }

  @Test
  @Proves("S12.5.3")
  void thePacketThatFillsTheWindowAsksForAnAck() {
    rig.a.out.limit(3);
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 4096);
    rig.pump();
    assertThat(rig.a.out.log).hasSize(3);
    assertThat(rig.a.out.log.getLast().view().ackRequest).isTrue();
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  /** The operations that complete a receive at the peer, and so can be solicited. */
  private static final Set<WrOpcode> RECEIVED =
      EnumSet.of(
          WrOpcode.SEND,
          WrOpcode.SEND_WITH_IMM,
          WrOpcode.SEND_WITH_INV,
          WrOpcode.RDMA_WRITE_WITH_IMM);

  @ParameterizedTest
  @EnumSource(
      value = WrOpcode.class,
      names = {"BIND_MW", "LOCAL_INV", "TSO", "DRIVER1"},
      mode = EnumSource.Mode.EXCLUDE)
  @Proves({"S1.2.a", "S1.2/SOLICITED"})
  void theSolicitedBitIsInTheLastPacketOfWhatCompletesAReceiveOnly(WrOpcode opcode) {
    boolean cut = RECEIVED.contains(opcode) || opcode == WrOpcode.RDMA_WRITE;
    for (long length : cut ? new long[] {0, 8, 256, 700} : new long[] {8}) {
      for (int flags : new int[] {SendFlags.SOLICITED, 0}) {
        int before = rig.a.out.log.size();
        rig.a.post(
            1,
            opcode,
            flags,
            w -> {
              w.data.add(from.lkey(), from.addr(), length);
              w.remote(to.addr(), to.rkey());
            });
        rig.pump();
        List<Packet> sent = rig.a.out.log.subList(before, rig.a.out.log.size());
        assertThat(sent).hasSize((int) Math.max(1, (length + 255) / 256));
        assertThat(sent.subList(0, sent.size() - 1)).noneMatch(p -> p.view().solicited);
        assertThat(sent.getLast().view().solicited)
            .as("%d bytes with flags %d", length, flags)
            .isEqualTo(flags != 0 && RECEIVED.contains(opcode));
      }
    }
  }

  @Test
  void everyRequestIsAddressedToThePeer() {
    rig.a.parameters.pkey(0x8123);
    rig.a.postSend(1, from, 300);
    rig.pump();
    assertThat(rig.a.out.log)
        .hasSize(2)
        .allMatch(packet -> packet.view().destQpn == 0x22 && packet.view().pkey == 0x8123);
  }

  private void assertShape(String opcodes, String lengths) {
    List<Packet> log = rig.a.out.log;
    assertThat(String.join(" ", log.stream().map(p -> Opcode.name(p.opcode())).toList()))
        .isEqualTo(opcodes);
    assertThat(String.join(" ", log.stream().map(p -> "" + p.view().payloadLength).toList()))
        .isEqualTo(lengths);
    int offset = 0;
    for (int i = 0; i < log.size(); i++) {
      RocePacket view = log.get(i).view();
      assertThat(view.psn).isEqualTo(Rig.PSN_A + i);
      assertThat(view.padCount()).isEqualTo(Bth.padFor(view.payloadLength));
      long end = view.payloadOffset + view.payloadLength;
      assertThat(log.get(i).segment().asSlice(end, view.padCount()).toArray(ValueLayout.JAVA_BYTE))
          .as("padding (S12.1.3)")
          .isEqualTo(new byte[view.padCount()]);
      assertThat(
              log.get(i)
                  .segment()
                  .asSlice(view.payloadOffset, view.payloadLength)
                  .toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo(from.bytes(offset, view.payloadLength));
      offset += view.payloadLength;
    }
  }
}
