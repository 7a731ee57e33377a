package dev.verbena.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class PcapngWriterTest {
  private final MemorySegment file = Arena.ofAuto().allocate(512).fill((byte) 0xEE);

  @Test
  void theSectionHeaderSaysVersionOneAndLengthUnknown() {
    int length = PcapngWriter.writeSectionHeader(file, 0);
    assertThat(Hex.text(file, 0, length))
        .isEqualTo(
            "0a0d0d0a" + "1c000000" + "4d3c2b1a" + "01000000" + "ffffffffffffffff" + "1c000000");
  }

  @Test
  void theInterfaceDescriptionNamesItAndItsClock() {
    byte[] name = "soft0".getBytes(UTF_8);
    int length = PcapngWriter.writeInterfaceDescription(file, 0, LinkType.RAW, 65_535, name);
    assertThat(length).isEqualTo(PcapngWriter.interfaceDescriptionLength(name));
    assertThat(Hex.text(file, 0, length + 1L))
        .isEqualTo(
            "01000000"
                + "2c000000"
                + "65000000"
                + "ffff0000"
                + "02000500736f667430000000"
                + "0900010009000000"
                + "00000000"
                + "2c000000"
                + "ee");
  }

  @Test
  void aPacketIsPutTogetherFromHeadersAndBody() {
    MemorySegment headers = Hex.segment("ff0102");
    MemorySegment body = Hex.segment("ffff030405ff");
    byte[] none = PcapngWriter.NO_COMMENT;
    int length =
        PcapngWriter.writeEnhancedPacket(
            file, 4, 1, 0x0102030405060708L, headers.asSlice(1, 2), body.asSlice(2, 3), none);
    assertThat(length).isEqualTo(PcapngWriter.enhancedPacketLength(5, none));
    assertThat(Hex.text(file, 4, length + 1L))
        .isEqualTo(
            "06000000"
                + "28000000"
                + "01000000"
                + "04030201"
                + "08070605"
                + "05000000"
                + "05000000"
                + "0102030405000000"
                + "28000000"
                + "ee");
  }

  @Test
  void aCommentFollowsThePacket() {
    MemorySegment body = Hex.segment("01020304");
    byte[] comment = "fault: drop".getBytes(UTF_8);
    int length = PcapngWriter.writeEnhancedPacket(file, 0, 0, 1, body.asSlice(0, 0), body, comment);
    assertThat(length).isEqualTo(PcapngWriter.enhancedPacketLength(4, comment));
    assertThat(Hex.text(file, 28, length - 28L))
        .isEqualTo("01020304" + "01000b00" + "6661756c743a2064726f7000" + "00000000" + "38000000");
    assertThat(length).isEqualTo(0x38);
  }

  @Test
  void aCommentThatNoOptionCanHoldIsRefused() {
    assertThat(PcapngWriter.enhancedPacketLength(4, new byte[65_535])).isGreaterThan(65_535);
    byte[] comment = new byte[65_536];
    assertThatThrownBy(() -> PcapngWriter.enhancedPacketLength(4, comment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65536")
        .hasMessageContaining("65535");
  }
}
