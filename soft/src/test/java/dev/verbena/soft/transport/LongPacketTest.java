package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets that stand for up to three packets of 256 bytes, on a link that carries such. */
class LongPacketTest {
  private final Rig rig = Rig.longPackets(1000);
  private final Block local = rig.a.memory(1 << 13).scribble(3);
  private final Block remote = rig.b.memory(1 << 13);

  /** Such as {@code FIRST 0 x3}, with PSNs from 0. */
  private static String text(Packet packet) {
    String name = Opcode.name(packet.opcode());
    return name.substring(name.lastIndexOf('_') + 1)
        + " "
        + (packet.psn() - Rig.PSN_A)
        + " x"
        + (1 + Bth.further(packet.segment(), 0));
  }

  @ParameterizedTest
  @CsvSource({
    "0, ONLY 0 x1",
    "256, ONLY 0 x1",
    "257, ONLY 0 x2",
    "768, ONLY 0 x3",
    "769, FIRST 0 x3 LAST 3 x1",
    "2100, FIRST 0 x3 MIDDLE 3 x3 LAST 6 x3"
  })
  void aMessageAndItsAnswerGoInPacketsOfSeveralPsns(int length, String packets) {
    rig.a.postWrite(1, local, length, remote);
    rig.deliverAll();
    assertThat(texts(rig.a.out.log)).isEqualTo(packets);
    assertThat(remote.bytes(0, length)).isEqualTo(local.bytes(0, length));
    assertThat(remote.bytes(length, 8)).containsOnly(0);

    Block landing = rig.a.memory(1 << 13);
    int psns = Math.max(1, Math.ceilDiv(length, 256));
    int acks = rig.b.out.log.size();
    rig.a.postRead(2, landing, length, remote);
    rig.deliverAll();
    List<Packet> answers = rig.b.out.log.subList(acks, rig.b.out.log.size());
    assertThat(answers).hasSize(Math.ceilDiv(psns, 3));
    assertThat(answers.getFirst().psn()).isEqualTo(Rig.PSN_A + psns);
    assertThat(landing.bytes(0, length)).isEqualTo(local.bytes(0, length));
    assertThat(rig.a.sendResults()).containsExactly("1", "2");
  }

  private static String texts(List<Packet> packets) {
    return String.join(" ", packets.stream().map(LongPacketTest::text).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
  void aLostOneIsSentAgainAndNothingIsMissing(int lost) {
    int psn = Rig.PSN_A + 3 * lost;
    rig.a.out.loseOnce(packet -> packet.psn() == psn);
    rig.a.postWrite(1, local, 5000, remote);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(remote.bytes(0, 5000)).isEqualTo(local.bytes(0, 5000));
    Block landing = rig.a.memory(1 << 13);
    rig.b.out.loseOnce(packet -> packet.psn() == psn + 20);
    rig.a.postRead(2, landing, 5000, remote);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("2");
    assertThat(landing.bytes(0, 5000)).isEqualTo(local.bytes(0, 5000));
  }

  @ParameterizedTest
  @CsvSource({
    "769, 0, 0",
    "769, 0, 1",
    "769, 0, 3",
    "769, 1, 1",
    "500, 0, 0",
    "500, 0, 2",
    "0, 0, 1",
  })
  @Proves("S12.6.7")
  void aPacketThatClaimsMoreOrFewerPsnsThanItsDataHasIsRefused(int length, int index, int further) {
    int[] seen = {0};
    rig.a.out.fault(
        packet ->
            List.of(
                seen[0]++ == index
                    ? packet.edited(bytes -> Bth.further(bytes, 0, further))
                    : packet));
    rig.a.postWrite(1, local, length, remote);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 REM_INV_REQ_ERR");
    assertThat(rig.b.status.state).isEqualTo(QpState.ERR);
  }

  @ParameterizedTest
  @CsvSource({"700, 0", "700, 1", "700, 3", "700, 63", "2000, 63"})
  @Proves("S12.5.10")
  void anAnswerThatClaimsMoreOrFewerPsnsThanItsDataHasEndsTheRead(int length, int further) {
    rig.b.out.fault(packet -> List.of(packet.edited(bytes -> Bth.further(bytes, 0, further))));
    rig.a.postRead(1, local, length, remote);
    rig.a.postRead(2, local, length, remote);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 BAD_RESP_ERR", "2 WR_FLUSH_ERR");
  }

  @Test
  @Proves("S12.6.2")
  void onePacketThatBeginsBeforeWhatIsExpectedAndEndsBehindItIsAskedForFromThere() {
    rig.a.out.limit(2);
    rig.a.postWrite(1, local, 5 * 256, remote);
    rig.pump();
    Packet first = rig.a.out.flight.removeFirst();
    assertThat(text(first)).isEqualTo("FIRST 0 x2");
    rig.inject(first);
    rig.b.out.flight.clear();
    // A stray one ahead, whose NAK is sent once only.
    rig.inject(first.edited(bytes -> psn(bytes, Rig.PSN_A + 100)));
    rig.b.out.flight.clear();
    Packet other = first.withLength(3 * 256).edited(bytes -> Bth.further(bytes, 0, 2));
    rig.inject(other);
    assertThat(rig.b.tally.get(Counter.SEQUENCE_NAKS_SENT)).isEqualTo(2);
    Packet nak = rig.b.out.flight.getLast();
    assertThat(nak.psn()).isEqualTo(Rig.PSN_A + 2);
    assertThat(Aeth.syndrome(nak.segment(), Bth.LENGTH))
        .isEqualTo(AethSyndrome.NAK_PSN_SEQUENCE_ERROR);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(remote.bytes(0, 5 * 256)).isEqualTo(local.bytes(0, 5 * 256));
  }

  @Test
  void aRefusedOneWithOldAndNewPsnsLeavesTheNewOnesUnsent() {
    rig.a.out.limit(4);
    rig.a.postWrite(1, local, 9 * 256, remote);
    rig.pump();
    assertThat(texts(rig.a.out.log)).isEqualTo("FIRST 0 x3 MIDDLE 3 x1");
    rig.a.out.flight.clear();
    rig.a.out.limit(64);
    rig.a.out.log.clear();
    rig.advanceToDeadline();
    assertThat(texts(rig.a.out.log)).isEqualTo("FIRST 0 x3");
    rig.deliverToB();
    Packet ack = rig.b.out.flight.removeFirst();
    rig.a.out.refuse(1);
    rig.a.arrive(ack, rig.b.gid);
    rig.a.requester.run(new Budget());
    // An acknowledgement of 3 to 5, of which only 3 was ever sent.
    rig.a.arrive(ack.edited(bytes -> psn(bytes, Rig.PSN_A + 5)), rig.b.gid);
    assertThat(rig.a.tally.get(Counter.DROPPED_STALE_RESPONSE)).isEqualTo(1);
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1");
    assertThat(remote.bytes(0, 9 * 256)).isEqualTo(local.bytes(0, 9 * 256));
  }

  private static void psn(MemorySegment packet, int psn) {
    packet.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 8, psn);
  }
}
