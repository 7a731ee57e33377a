package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Every header's bytes against S12.2, at an odd offset. */
class HeadersTest {
  private static final long AT = 3;

  private final MemorySegment segment = Arena.ofAuto().allocate(64).fill((byte) 0xEE);

  @Test
  void bth() {
    Bth.write(
        segment,
        AT,
        0x17,
        Bth.SOLICITED | Bth.MIG_REQ | Bth.ACK_REQUEST,
        3,
        0xFFFF,
        0x123456,
        0xABCDEF);
    assertBytes("17f0ffff0012345680abcdef");
    assertThat(Bth.opcode(segment, AT)).isEqualTo(0x17);
    assertThat(Bth.psn(segment, AT)).isEqualTo(0xABCDEF);
    RocePacket packet = new RocePacket();
    assertThat(packet.parse(segment, AT, 24)).isEqualTo(ParseResult.OK);
    assertThat(packet.opcode()).isEqualTo(0x17);
    assertThat(packet.solicited).isTrue();
    assertThat(packet.migReq()).isTrue();
    assertThat(packet.padCount()).isEqualTo(3);
    assertThat(packet.pkey).isEqualTo(0xFFFF);
    assertThat(packet.destQpn).isEqualTo(0x123456);
    assertThat(packet.ackRequest).isTrue();
    assertThat(packet.psn).isEqualTo(0xABCDEF);

    Bth.write(segment, AT, 0xA4, 0, 1, 0x8001, 0xFF000001, 0xFF000002);
    assertBytes("a41080010000000100000002");
    assertThat(packet.parse(segment, AT, 24)).isEqualTo(ParseResult.OK);
    assertThat(packet.opcode()).isEqualTo(0xA4);
    assertThat(packet.solicited).isFalse();
    assertThat(packet.migReq()).isFalse();
    assertThat(packet.padCount()).isEqualTo(1);
    assertThat(packet.pkey).isEqualTo(0x8001);
    assertThat(packet.destQpn).isEqualTo(1);
    assertThat(packet.ackRequest).isFalse();
    assertThat(packet.psn).isEqualTo(2);
  }

  @Test
  void bthCongestionBitsAreSetLater() {
    Bth.write(segment, AT, 0x04, 0, 0, 0xFFFF, 0x11, 5);
    Bth.congestion(segment, AT, true, false);
    assertThat(Bth.fecn(segment, AT)).isTrue();
    assertThat(Bth.becn(segment, AT)).isFalse();
    assertBytes("0400ffff8000001100000005");
    Bth.congestion(segment, AT, false, true);
    assertThat(Bth.fecn(segment, AT)).isFalse();
    assertThat(Bth.becn(segment, AT)).isTrue();
    assertBytes("0400ffff4000001100000005");
  }

  @Test
  void aLongPacketSaysForHowManyMoreItStandsBesideTheCongestionBits() {
    Bth.write(segment, AT, 0x04, 0, 0, 0xFFFF, 0x11, 5);
    Bth.congestion(segment, AT, true, true);
    Bth.further(segment, AT, Bth.MOST_FURTHER);
    assertBytes("0400ffffff00001100000005");
    assertThat(Bth.further(segment, AT)).isEqualTo(63);
    Bth.further(segment, AT, 2);
    assertBytes("0400ffffc200001100000005");
    RocePacket packet = new RocePacket();
    assertThat(packet.parse(segment, AT, RocePacket.MIN_LENGTH)).isEqualTo(ParseResult.OK);
    assertThat(packet.psns).as("on a link that knows none").isEqualTo(1);
    packet.mayBeLong();
    assertThat(packet.psns).isEqualTo(3);
    assertThat(packet).hasToString("RC SEND_ONLY psn 5 x3 qpn 0x11, 0 bytes");
    segment.set(Layouts.BYTE, AT, (byte) Opcode.CNP);
    packet.parse(segment, AT, Cnp.LENGTH + RocePacket.ICRC_LENGTH);
    packet.mayBeLong();
    assertThat(packet.psns).as("of a packet without data").isEqualTo(1);
  }

  @Test
  void reth() {
    Reth.write(segment, AT, 0xF102030405060708L, 0xA1B2C3D4, 0x80000000L);
    assertBytes("f102030405060708a1b2c3d480000000");
    assertThat(Reth.va(segment, AT)).isEqualTo(0xF102030405060708L);
    assertThat(Reth.rkey(segment, AT)).isEqualTo(0xA1B2C3D4);
    assertThat(Reth.dmaLength(segment, AT)).isEqualTo(0x80000000L);
  }

  @Test
  void aeth() {
    Aeth.write(segment, AT, 0xE1, 0x12345678);
    assertBytes("e1345678");
    assertThat(Aeth.syndrome(segment, AT)).isEqualTo(0xE1);
    assertThat(Aeth.msn(segment, AT)).isEqualTo(0x345678);
  }

  @Test
  void atomicEth() {
    AtomicEth.write(segment, AT, 1, 2, 0xF00000000000000AL, 0xF00000000000000BL);
    assertBytes("000000000000000100000002f00000000000000af00000000000000b");
    assertThat(AtomicEth.va(segment, AT)).isEqualTo(1);
    assertThat(AtomicEth.rkey(segment, AT)).isEqualTo(2);
    assertThat(AtomicEth.swapOrAdd(segment, AT)).isEqualTo(0xF00000000000000AL);
    assertThat(AtomicEth.compare(segment, AT)).isEqualTo(0xF00000000000000BL);
  }

  @Test
  void atomicAckEth() {
    AtomicAckEth.write(segment, AT, 0x8102030405060708L);
    assertBytes("8102030405060708");
    assertThat(AtomicAckEth.original(segment, AT)).isEqualTo(0x8102030405060708L);
  }

  @Test
  void immDtAndIeth() {
    ImmDt.write(segment, AT, 0xF1020304);
    assertBytes("f1020304");
    assertThat(ImmDt.immData(segment, AT)).isEqualTo(0xF1020304);
    Ieth.write(segment, AT, 0xE1020304);
    assertBytes("e1020304");
    assertThat(Ieth.rkey(segment, AT)).isEqualTo(0xE1020304);
  }

  @Test
  void deth() {
    Deth.write(segment, AT, 0x80010000, 0xFF123456);
    assertBytes("8001000000123456");
    assertThat(Deth.qkey(segment, AT)).isEqualTo(0x80010000);
    assertThat(Deth.srcQpn(segment, AT)).isEqualTo(0x123456);
  }

  @Test
  void xrceth() {
    Xrceth.write(segment, AT, 0xFF123456);
    assertBytes("00123456");
    assertThat(Xrceth.srqn(segment, AT)).isEqualTo(0x123456);
  }

  @Test
  void feth() {
    Feth.write(segment, AT, Feth.LEVEL_MR, Feth.TYPE_GLOBAL | Feth.TYPE_PERSISTENT);
    assertBytes("00000013");
    assertThat(Feth.level(segment, AT)).isEqualTo(Feth.LEVEL_MR);
    assertThat(Feth.type(segment, AT)).isEqualTo(3);
    Feth.write(segment, AT, Feth.LEVEL_RANGE, Feth.TYPE_PERSISTENT);
    assertBytes("00000002");
  }

  /** The bytes written and, around them, bytes left alone. */
  private void assertBytes(String expected) {
    long length = expected.length() / 2;
    assertThat(Hex.text(segment, 0, AT + length + 1)).isEqualTo("eeeeee" + expected + "ee");
  }
}
