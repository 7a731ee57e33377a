package dev.verbena.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureReaderTest {
  private static final byte[] PACKET = {1, 2, 3, 4, 5};

  /** A pcapng file with three packets, a comment and a block that brings none. */
  private static byte[] pcapng(ByteOrder order) {
    PcapngFile file = new PcapngFile(order).section();
    file.block(1, body -> body.shorts(101, 0).ints(65_535).option(2, "lo".getBytes(UTF_8)).end());
    file.block(5, body -> body.ints(0, 1, 2));
    file.block(1, body -> body.shorts(1, 0).ints(4).option(9, new byte[] {(byte) 0x8A}).end());
    file.block(
        6,
        body ->
            body.ints(0, 0x00000005, 0x00000001, 5, 5)
                .padded(PACKET)
                .option(1, "fault: drop".getBytes(UTF_8))
                .option(1, "seen".getBytes(UTF_8))
                .end());
    file.block(6, body -> body.ints(1, 0, 2048 + 512, 5, 99).padded(PACKET));
    file.block(3, body -> body.ints(5).padded(PACKET));
    return file.bytes();
  }

  private static byte[] pcap(ByteOrder order, int magic) {
    PcapngFile file = new PcapngFile(order);
    file.raw(body -> body.ints(magic).shorts(2, 4).ints(0, 0, 65_535, 0x2400_0000 | 113));
    file.raw(body -> body.ints(7, 8, 5, 6).bytes(PACKET));
    file.raw(body -> body.ints(7, 9, 5, 5).bytes(PACKET));
    return file.bytes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
  void packetsOfPcapngAreReadInEitherByteOrder(String order) throws CaptureFormatException {
    byte[] bytes = pcapng(order(order));
    List<CapturedFrame> frames = read(bytes);

    assertThat(frames).hasSize(3);
    assertThat(frames)
        .allSatisfy(frame -> assertThat(bytes[(int) frame.offset() + 4]).isEqualTo((byte) 5));
    CapturedFrame first = frames.get(0);
    assertThat(first.number()).isEqualTo(1);
    assertThat(first.nanos()).isEqualTo(((5L << 32) + 1) * 1000);
    assertThat(first.linkType()).isEqualTo(LinkType.RAW);
    assertThat(first.interfaceName()).isEqualTo("lo");
    assertThat(first.comment()).isEqualTo("fault: drop; seen");
    assertThat(first.length()).isEqualTo(5);
    CapturedFrame second = frames.get(1);
    assertThat(second.nanos()).isEqualTo(2_500_000_000L);
    assertThat(second.linkType()).isEqualTo(LinkType.ETHERNET);
    assertThat(second.originalLength()).isEqualTo(99);
    assertThat(frames.get(2).linkType()).isEqualTo(LinkType.RAW);
    assertThat(frames.get(2).nanos()).isEqualTo(CapturedFrame.NO_TIME);
  }

  @ParameterizedTest
  @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
  void packetsOfPcapAreReadInEitherByteOrder(String order) throws CaptureFormatException {
    List<CapturedFrame> micros = read(pcap(order(order), 0xA1B2C3D4));
    List<CapturedFrame> nanos = read(pcap(order(order), 0xA1B23C4D));

    assertThat(micros).hasSize(2);
    assertThat(micros.getFirst())
        .isEqualTo(new CapturedFrame(1, 7_000_008_000L, 113, "", "", 40, 5, 6));
    assertThat(nanos.getLast().nanos()).isEqualTo(7_000_000_009L);
  }

  @Test
  void whatTheWriterWritesIsReadBack() throws CaptureFormatException {
    MemorySegment file = Arena.ofAuto().allocate(512);
    byte[] name = "verbena 10.0.0.1".getBytes(UTF_8);
    MemorySegment body = Hex.segment("0102030405");
    long at = PcapngWriter.writeSectionHeader(file, 0);
    at += PcapngWriter.writeInterfaceDescription(file, at, LinkType.RAW, 0, name);
    byte[] comment = "fault: duplicate".getBytes(UTF_8);
    at +=
        PcapngWriter.writeEnhancedPacket(
            file, at, 0, 1_700_000_000_123_456_789L, body.asSlice(0, 2), body, comment);
    CaptureReader reader = CaptureReader.of(file.asSlice(0, at));

    CapturedFrame frame = reader.next().orElseThrow();
    assertThat(frame.nanos()).isEqualTo(1_700_000_000_123_456_789L);
    assertThat(frame.interfaceName()).isEqualTo("verbena 10.0.0.1");
    assertThat(frame.comment()).isEqualTo("fault: duplicate");
    assertThat(Hex.text(file, frame.offset(), frame.length())).isEqualTo("01020102030405");
    assertThat(reader.next()).isEmpty();
  }

  @Test
  void eachSectionHasItsOwnByteOrderAndInterfaces() throws CaptureFormatException {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(pcapng(ByteOrder.LITTLE_ENDIAN));
    both.writeBytes(pcapng(ByteOrder.BIG_ENDIAN));

    List<CapturedFrame> frames = read(both.toByteArray());
    assertThat(frames).hasSize(6);
    assertThat(frames.get(3).nanos()).isEqualTo(frames.get(0).nanos());
    assertThat(frames.get(5).number()).isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
  void aFileCutAnywhereEndsBetweenPacketsOrInAnErrorThatSaysWhere(String order) {
    for (byte[] file : List.of(pcapng(order(order)), pcap(order(order), 0xA1B2C3D4))) {
      for (int length = 0; length < file.length; length++) {
        String error = errorOf(file, length);
        if (error != null) {
          assertThat(error)
              .as("%d of %d bytes", length, file.length)
              .containsPattern("^(block|packet|file header).* at offset \\d+: the file ends at ");
        }
      }
      assertThat(errorOf(file, file.length)).isNull();
      assertThat(errorOf(file, file.length - 1)).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
  void noByteMakesTheReaderFailInAnotherWay(String order) {
    for (byte[] file : List.of(pcapng(order(order)), pcap(order(order), 0xA1B23C4D))) {
      for (int at = 0; at < file.length; at++) {
        byte original = file[at];
        for (int value = 0; value < 256; value++) {
          file[at] = (byte) value;
          String error = errorOf(file, file.length);
          assertThat(error == null || error.contains(" at offset ")).as(error).isTrue();
        }
        file[at] = original;
      }
    }
  }

  @Test
  void whatBreaksTheFormatIsSkippedAndCountedWhereTheNextPacketIsKnown() throws Exception {
    PcapngFile file = new PcapngFile(ByteOrder.LITTLE_ENDIAN).section();
    file.block(1, body -> body.shorts(1, 0).ints(0).option(9, new byte[2]).end());
    file.block(1, body -> body.shorts(101, 0).ints(0));
    file.block(6, body -> body.ints(3, 0, 0, 5, 5).padded(PACKET));
    file.block(6, body -> body.ints(1, 0, 0, 5, 4).padded(PACKET));
    file.block(6, body -> body.ints(1, 0, 0, 5, 5).padded(PACKET).shorts(1, 9));
    file.block(6, body -> body.ints(1, 0, 0, 5, 5).padded(PACKET));
    file.block(6, body -> body.ints(0, 0, 0, 5, 5).padded(PACKET));
    CaptureReader reader = CaptureReader.of(Hex.segment(file.bytes()));
    List<CapturedFrame> frames = read(reader);

    assertThat(frames).extracting(CapturedFrame::number).containsExactly(4L, 5L);
    assertThat(frames.getFirst().linkType()).isEqualTo(LinkType.RAW);
    // Of an interface that could not be read.
    assertThat(frames.getLast().linkType()).isEqualTo(-1);
    assertThat(reader.skipped()).isEqualTo(4);
    assertThat(reader.firstSkipped().orElseThrow())
        .hasMessage("block 2 (interface description) at offset 28: option 9 has 2 bytes, not 1");

    PcapngFile old = new PcapngFile(ByteOrder.LITTLE_ENDIAN);
    old.raw(body -> body.ints(0xA1B2C3D4).shorts(2, 4).ints(0, 0, 65_535, 101));
    old.raw(body -> body.ints(7, 8, 5, 4).bytes(PACKET));
    old.raw(body -> body.ints(7, 9, 5, 5).bytes(PACKET));
    CaptureReader second = CaptureReader.of(Hex.segment(old.bytes()));
    assertThat(read(second)).extracting(CapturedFrame::number).containsExactly(2L);
    assertThat(second.skipped()).isEqualTo(1);
    assertThat(second.firstSkipped().orElseThrow())
        .hasMessage("packet 1 at offset 24: holds 5 bytes of a packet of 4");
  }

  @Test
  void aSectionOfTooManyInterfacesKeepsTheFirst() throws Exception {
    PcapngFile file = new PcapngFile(ByteOrder.LITTLE_ENDIAN).section();
    PcapngFile one = new PcapngFile(ByteOrder.LITTLE_ENDIAN);
    one.block(1, body -> body.shorts(101, 0).ints(0));
    byte[] bytes = one.bytes();
    for (int i = 0; i <= 1 << 16; i++) {
      file.append(bytes);
    }
    file.block(6, body -> body.ints((1 << 16) - 1, 0, 0, 5, 5).padded(PACKET));
    file.block(6, body -> body.ints(1 << 16, 0, 0, 5, 5).padded(PACKET));
    CaptureReader reader = CaptureReader.of(Hex.segment(file.bytes()));

    assertThat(read(reader)).extracting(CapturedFrame::number).containsExactly(1L);
    assertThat(reader.skipped()).isEqualTo(2);
    assertThat(reader.firstSkipped().orElseThrow())
        .hasMessageEndingWith("a section has more than 65536 interfaces");
  }

  @Test
  void aCommentThatIsTooLongIsNotKept() throws Exception {
    PcapngFile file = new PcapngFile(ByteOrder.LITTLE_ENDIAN).section();
    byte[] name = new byte[1000];
    Arrays.fill(name, (byte) 'n');
    file.block(1, body -> body.shorts(101, 0).ints(0).option(2, name).end());
    for (int length : new int[] {32_767, 32_770}) {
      file.block(
          6,
          body ->
              body.ints(0, 0, 0, 5, 5)
                  .padded(PACKET)
                  .option(1, new byte[32_766])
                  .option(1, new byte[length])
                  .end());
    }
    CaptureReader reader = CaptureReader.of(Hex.segment(file.bytes()));

    List<CapturedFrame> frames = read(reader);
    assertThat(frames).extracting(CapturedFrame::number).containsExactly(1L);
    assertThat(frames.getFirst().interfaceName()).isEqualTo("n".repeat(256));
    assertThat(reader.firstSkipped().orElseThrow())
        .hasMessageEndingWith("has more than 65535 bytes of comment");
  }

  @Test
  void errorsNameTheBlockTheValueAndTheLimit() throws Exception {
    PcapngFile lost = new PcapngFile(ByteOrder.LITTLE_ENDIAN).section();
    lost.block(6, body -> body.ints(3, 0, 0, 5, 5).padded(PACKET));
    assertThat(skippedOf(lost.bytes()))
        .isEqualTo(
            "block 2 (enhanced packet) at offset 28: belongs to interface 3, but only 0 are"
                + " described before it");

    PcapngFile large = new PcapngFile(ByteOrder.LITTLE_ENDIAN).section();
    large.block(1, body -> body.shorts(1, 0).ints(0));
    large.block(6, body -> body.ints(0, 0, 0, -1, -1).padded(PACKET));
    assertThat(skippedOf(large.bytes()))
        .startsWith("block 3 (enhanced packet) at offset 48: ")
        .contains("holds 4294967295 bytes", "room for 8");

    PcapngFile odd = new PcapngFile(ByteOrder.LITTLE_ENDIAN).section();
    odd.raw(body -> body.ints(6, 13).bytes(new byte[16]));
    assertThat(errorOf(odd.bytes()))
        .isEqualTo("block 2 (enhanced packet) at offset 28: a length of 13 bytes is not possible");

    assertThat(errorOf(HexFormat.of().parseHex("1f8b0800")))
        .isEqualTo("file header at offset 0: the file is compressed by gzip; unpack it first");
    assertThat(errorOf(HexFormat.of().parseHex("7f454c46"))).contains("0x7f454c46", "pcapng");
    assertThatThrownBy(() -> CaptureReader.of(Hex.segment("")))
        .isInstanceOf(CaptureFormatException.class)
        .hasMessage("file header at offset 0: the file ends at 0, 4 bytes too early");
  }

  private static ByteOrder order(String name) {
    return name.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  private static List<CapturedFrame> read(byte[] bytes) throws CaptureFormatException {
    List<CapturedFrame> frames = read(CaptureReader.of(Hex.segment(bytes)));
    assertThat(frames).allMatch(frame -> frame.offset() + frame.length() <= bytes.length);
    return frames;
  }

  private static List<CapturedFrame> read(CaptureReader reader) throws CaptureFormatException {
    List<CapturedFrame> frames = new ArrayList<>();
    for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
      frames.add(next.get());
    }
    return frames;
  }

  private static String skippedOf(byte[] file) throws CaptureFormatException {
    CaptureReader reader = CaptureReader.of(Hex.segment(file));
    assertThat(read(reader)).isEmpty();
    return String.valueOf(reader.firstSkipped().orElseThrow().getMessage());
  }

  private static @Nullable String errorOf(byte[] file, int length) {
    return errorOf(Arrays.copyOf(file, length));
  }

  private static @Nullable String errorOf(byte[] file) {
    try {
      read(file);
      return null;
    } catch (CaptureFormatException e) {
      return e.getMessage();
    }
  }

  /** Builds a file, in a byte order that the writer does not know. */
  private static final class PcapngFile {
    private final ByteOrder order;
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    PcapngFile(ByteOrder order) {
      this.order = order;
    }

    PcapngFile section() {
      block(0x0A0D0D0A, body -> body.ints(0x1A2B3C4D).shorts(1, 0).ints(-1, -1));
      return this;
    }

    void block(int type, Consumer<Body> content) {
      Body body = new Body(order);
      content.accept(body);
      int length = body.length() + 12;
      raw(whole -> whole.ints(type, length).bytes(body.toBytes()).ints(length));
    }

    void raw(Consumer<Body> content) {
      Body body = new Body(order);
      content.accept(body);
      file.writeBytes(body.toBytes());
    }

    void append(byte[] blocks) {
      file.writeBytes(blocks);
    }

    byte[] bytes() {
      return file.toByteArray();
    }
  }

  private static final class Body {
    private final ByteBuffer buffer;

    Body(ByteOrder order) {
      buffer = ByteBuffer.allocate(1 << 17).order(order);
    }

    Body ints(int... values) {
      for (int value : values) {
        buffer.putInt(value);
      }
      return this;
    }

    Body shorts(int... values) {
      for (int value : values) {
        buffer.putShort((short) value);
      }
      return this;
    }

    Body bytes(byte[] values) {
      buffer.put(values);
      return this;
    }

    Body padded(byte[] values) {
      bytes(values);
      while (buffer.position() % 4 != 0) {
        buffer.put((byte) 0);
      }
      return this;
    }

    Body option(int code, byte[] value) {
      return shorts(code, value.length).padded(value);
    }

    Body end() {
      return ints(0);
    }

    int length() {
      return buffer.position();
    }

    byte[] toBytes() {
      return Arrays.copyOf(buffer.array(), buffer.position());
    }
  }
}
