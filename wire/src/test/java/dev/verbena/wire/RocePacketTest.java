package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.wire.Samples.Sample;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RocePacketTest {
  private static final String ICRC = "00000000";

  private final RocePacket view = new RocePacket();

  static Stream<Sample> samples() {
    return Samples.all();
  }

  @Test
  void theShortestPacketIsBthAndIcrc() {
    assertThat(parse("01000000" + "00000011" + "00000005" + ICRC)).isEqualTo(ParseResult.OK);
    assertThat(view.payloadLength).isZero();
    assertThat(view.payloadOffset).isEqualTo(12);
    assertThat(parse("01000000" + "00000011" + "00000005" + "000000"))
        .isEqualTo(ParseResult.TRUNCATED);
    assertThat(parse("")).isEqualTo(ParseResult.TRUNCATED);
  }

  @Test
  void everyFieldOfEveryHeaderIsReadFromItsPlace() {
    String bth = "c08123" + "00aabbcc" + "80ddeeff";
    assertThat(parse("05" + bth + "f1f2f3f4" + ICRC)).isEqualTo(ParseResult.OK);
    assertThat(view.immData()).isEqualTo(0xF1F2F3F4);
    assertThat(view.solicited).isTrue();
    assertThat(view.migReq()).isTrue();
    assertThat(view.ackRequest).isTrue();
    assertThat(view.pkey).isEqualTo(0x8123);
    assertThat(view.destQpn).isEqualTo(0xAABBCC);
    assertThat(view.psn).isEqualTo(0xDDEEFF);
    assertThat(parse("05" + "00ffff" + "00aabbcc" + "00ddeeff" + "00000000" + ICRC))
        .isEqualTo(ParseResult.OK);
    assertThat(view.solicited).isFalse();
    assertThat(view.migReq()).isFalse();
    assertThat(view.ackRequest).isFalse();
    assertThat(parse("17" + bth + "f5f6f7f8" + "78563412")).isEqualTo(ParseResult.OK);
    assertThat(view.invalidateRkey()).isEqualTo(0xF5F6F7F8);
    assertThat(view.icrc()).isEqualTo(0x12345678);
    String reth = "8122334455667788" + "a1a2a3a4" + "80000000";
    assertThat(parse("1c" + bth + "00000012" + reth + ICRC)).isEqualTo(ParseResult.OK);
    assertThat(view.fethLevel()).isEqualTo(1);
    assertThat(view.fethType()).isEqualTo(2);
    assertThat(view.rethVa()).isEqualTo(0x8122334455667788L);
    assertThat(view.rethRkey()).isEqualTo(0xA1A2A3A4);
    assertThat(view.rethLength()).isEqualTo(1L << 31);
    String operands = "0102030405060708" + "1112131415161718";
    String atomic = "13" + bth + "8122334455667788" + "a1a2a3a4" + operands + ICRC;
    assertThat(parse(atomic)).isEqualTo(ParseResult.OK);
    assertThat(view.atomicSwapOrAdd()).isEqualTo(0x0102030405060708L);
    assertThat(view.atomicCompare()).isEqualTo(0x1112131415161718L);
    MemorySegment xrc = Hex.segment("77".repeat(4) + "a4" + bth + "99c1c2c3" + ICRC);
    assertThat(view.parse(xrc, 4, 20)).isEqualTo(ParseResult.OK);
    assertThat(view.xrcSrqn()).isEqualTo(0xC1C2C3);
    assertThat(view.offset).isEqualTo(4);
    assertThat(view.length).isEqualTo(20);
  }

  @Test
  void aPacketSaysInOneLineWhatItIs() {
    assertThat(view).hasToString("no packet");
    parse("02" + "30ffff" + "00000011" + "8000000c" + "0102030405000000" + ICRC);
    assertThat(view).hasToString("RC SEND_LAST psn 12 ack qpn 0x11, 5 bytes");
    parse("11" + "00ffff" + "00000011" + "0000000c" + "62000001" + ICRC);
    assertThat(view).hasToString("RC ACKNOWLEDGE psn 12 qpn 0x11 syndrome 0x62");
    parse("81" + "00ffff" + "00000011" + "00000000" + "00".repeat(16) + ICRC);
    assertThat(view).hasToString("CNP qpn 0x11");
  }

  @Test
  void aPacketWhoseMemoryWasClosedSaysSo() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocate(RocePacket.MIN_LENGTH);
      packet.set(ValueLayout.JAVA_BYTE, 0, (byte) Opcode.RC_SEND_ONLY);
      assertThat(view.parse(packet, 0, packet.byteSize())).isEqualTo(ParseResult.OK);
    }
    assertThat(view).hasToString("RC SEND_ONLY in memory that was closed");
  }

  @Test
  void aPacketShorterThanItsHeadersIsTruncated() {
    for (int opcode = 0; opcode < 256; opcode++) {
      if (Opcode.isValid(opcode) && Opcode.row(opcode).headerLength > Bth.LENGTH) {
        byte[] bytes = new byte[Opcode.row(opcode).headerLength];
        bytes[0] = (byte) opcode;
        MemorySegment packet = Hex.segment(bytes);
        assertThat(view.parse(packet, 0, bytes.length))
            .as(Opcode.name(opcode))
            .isEqualTo(ParseResult.TRUNCATED);
      }
    }
  }

  @Test
  void aTransportVersionOtherThanZeroIsRefused() {
    assertThat(parse("0401ffff" + "00000011" + "00000005" + ICRC))
        .isEqualTo(ParseResult.BAD_VERSION);
  }

  @Test
  void anUnknownOpcodeIsRefused() {
    for (int opcode : new int[] {0x15, 0x18, 0x1E, 0x2C, 0x40, 0x60, 0x80, 0xC1, 0xFF}) {
      String first = String.format("%02x00ffff", opcode);
      assertThat(parse(first + "00000011" + "00000005" + ICRC))
          .isEqualTo(ParseResult.UNKNOWN_OPCODE);
    }
  }

  @Test
  void aLengthThatIsNoMultipleOfFourIsRefused() {
    assertThat(parse("0400ffff" + "00000011" + "00000005" + "aabb" + ICRC))
        .isEqualTo(ParseResult.BAD_LENGTH);
  }

  @Test
  @Proves("S12.1.3")
  void paddingIsTakenOffThePayload() {
    String rest = "ffff" + "00000011" + "00000005" + "aabbccdd" + ICRC;
    for (int pad = 0; pad < 4; pad++) {
      assertThat(parse(String.format("04%x0", pad) + rest)).isEqualTo(ParseResult.OK);
      assertThat(view.padCount()).isEqualTo(pad);
      assertThat(view.payloadLength).isEqualTo(4 - pad);
      assertThat(Bth.padFor(view.payloadLength)).isEqualTo(pad);
    }
  }

  @Test
  void morePaddingThanPayloadIsRefused() {
    assertThat(parse("0410ffff" + "00000011" + "00000005" + ICRC)).isEqualTo(ParseResult.BAD_PAD);
  }

  @Test
  @Proves("S12.1.3")
  void paddingInFirstAndMiddlePacketsIsRefused() {
    String pad1 = "10ffff" + "00000011" + "00000005" + "0000000000000000000000000000000000000000";
    for (int opcode = 0; opcode < 256; opcode++) {
      if (Opcode.isValid(opcode) && !Opcode.row(opcode).endsMessage) {
        assertThat(parse(String.format("%02x", opcode) + pad1 + "aabbccdd" + ICRC))
            .as(Opcode.name(opcode))
            .isEqualTo(ParseResult.BAD_PAD);
      }
    }
  }

  @Test
  void bytesBehindAnOpcodeWithoutPayloadAreRefused() {
    String ack = "ffff" + "00000011" + "00000005" + "1f000001";
    assertThat(parse("1100" + ack + ICRC)).isEqualTo(ParseResult.OK);
    assertThat(parse("1100" + ack + "aabbccdd" + ICRC)).isEqualTo(ParseResult.UNEXPECTED_PAYLOAD);
    assertThat(parse("1110" + ack + ICRC)).isEqualTo(ParseResult.UNEXPECTED_PAYLOAD);
  }

  @Test
  void aRangeOutsideTheSegmentIsTheCallersMistake() {
    MemorySegment packet = Hex.segment(new byte[16]);
    assertThatThrownBy(() -> view.parse(packet, 1, 16))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void accessorsOfHeadersThatTheOpcodeHasNotThrow() {
    assertThat(parse("0400ffff" + "00000011" + "00000005" + ICRC)).isEqualTo(ParseResult.OK);
    assertThatThrownBy(view::rethVa)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("RC_SEND_ONLY");
    assertThatThrownBy(view::aethMsn).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theViewWorksAtAnyOffset() {
    MemorySegment inside =
        Hex.segment("ffffff" + "0600ffff00000011800000050102030405060708aabbccdd00000400")
            .asSlice(0, 31);
    MemorySegment padded = Hex.segment(new byte[3 + 28 + 4 + 4]);
    MemorySegment.copy(inside, 0, padded, 0, 31);
    assertThat(view.parse(padded, 3, 36)).isEqualTo(ParseResult.OK);
    assertThat(view.rethVa()).isEqualTo(0x0102030405060708L);
    assertThat(view.rethRkey()).isEqualTo(0xAABBCCDD);
    assertThat(view.rethLength()).isEqualTo(1024);
    assertThat(view.payloadOffset).isEqualTo(31);
    assertThat(view.payloadLength).isEqualTo(4);
    assertThat(view.ackRequest).isTrue();
    assertThat(view.psn).isEqualTo(5);
  }

  @Tag("fuzz")
  @ParameterizedTest
  @MethodSource("samples")
  void everySampleTruncatedAnywhereIsRefusedOrStaysInside(Sample sample) {
    byte[] bytes = sample.packet().toArray(ValueLayout.JAVA_BYTE);
    MemorySegment packet = Hex.segment(bytes);
    for (int length = 0; length <= bytes.length; length++) {
      // The slice ends where the datagram does: reading past it would throw.
      MemorySegment truncated = packet.asSlice(0, length);
      if (view.parse(truncated, 0, length) == ParseResult.OK) {
        readEverything(length);
      } else {
        assertThat(length).isNotEqualTo(bytes.length);
      }
    }
  }

  @Tag("fuzz")
  @ParameterizedTest
  @MethodSource("samples")
  void everySampleWithAnyByteChangedIsRefusedOrStaysInside(Sample sample) {
    MemorySegment packet = sample.packet();
    int length = (int) packet.byteSize();
    for (int at = 0; at < length; at++) {
      byte original = packet.get(ValueLayout.JAVA_BYTE, at);
      // Beyond the headers the value cannot matter to the parser, so one flip of all bits is
      // enough.
      int step = at < 64 ? 1 : 0xFF;
      for (int change = step; change < 0x100; change += step) {
        packet.set(ValueLayout.JAVA_BYTE, at, (byte) (original ^ change));
        if (view.parse(packet, 0, length) == ParseResult.OK) {
          readEverything(length);
        }
      }
      packet.set(ValueLayout.JAVA_BYTE, at, original);
    }
  }

  @Tag("fuzz")
  @Test
  void randomBytesAreRefusedOrStayInside() {
    long seed = 0x5EED_12_10L;
    Random random = new Random(seed);
    int accepted = 0;
    for (int round = 0; round < 200_000; round++) {
      byte[] bytes = new byte[random.nextInt(96)];
      random.nextBytes(bytes);
      if (bytes.length > 1 && round % 2 == 0) {
        bytes[1] &= (byte) 0xF0;
      }
      MemorySegment packet = Hex.segment(bytes);
      if (view.parse(packet, 0, bytes.length) == ParseResult.OK) {
        readEverything(bytes.length);
        accepted++;
      }
    }
    assertThat(accepted).as("packets that got through, seed %x", seed).isPositive();
  }

  private ParseResult parse(String hex) {
    MemorySegment packet = Hex.segment(hex);
    return view.parse(packet, 0, packet.byteSize());
  }

  /** Uses every accessor that the opcode allows, each of which must stay inside the datagram. */
  private void readEverything(int length) {
    int opcode = view.opcode();
    long sum = (long) view.psn + view.pkey + view.destQpn + view.icrc();
    sum += readIf(Reth.BIT, view::rethVa, view::rethRkey, view::rethLength);
    sum += readIf(Aeth.BIT, view::aethSyndrome, view::aethMsn);
    sum += readIf(AtomicEth.BIT, view::atomicVa, view::atomicRkey);
    sum += readIf(AtomicEth.BIT, view::atomicSwapOrAdd, view::atomicCompare);
    sum += readIf(AtomicAckEth.BIT, view::atomicOriginal);
    sum += readIf(ImmDt.BIT, view::immData);
    sum += readIf(Ieth.BIT, view::invalidateRkey);
    sum += readIf(Deth.BIT, view::dethQkey, view::dethSrcQpn);
    sum += readIf(Xrceth.BIT, view::xrcSrqn);
    sum += readIf(Feth.BIT, view::fethLevel, view::fethType);
    sum += readIf(BufferSize.BIT, view::bufferBytes);
    for (long i = 0; i < view.payloadLength; i += 16) {
      sum += view.segment.get(ValueLayout.JAVA_BYTE, view.payloadOffset + i);
    }
    if (view.payloadLength < 0
        || view.payloadOffset != view.offset + Opcode.row(opcode).headerLength
        || view.payloadOffset + view.payloadLength + view.padCount() + 4 != length) {
      throw new AssertionError("payload is not inside " + Opcode.name(opcode) + ", " + sum);
    }
  }

  private long readIf(int header, Field... fields) {
    long sum = 0;
    if (view.row.has(header)) {
      for (Field field : fields) {
        sum += field.read();
      }
    }
    return sum;
  }

  private interface Field {
    long read();
  }
}
