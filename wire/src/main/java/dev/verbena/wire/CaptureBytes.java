package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a capture file in the byte order that its writer chose, the part of the file that is
 * being read, for errors, and the errors that did not end the reading.
 */
final class CaptureBytes {
  private final MemorySegment file;
  private ValueLayout.OfShort shorts = Layouts.SHORT;
  private ValueLayout.OfInt ints = Layouts.INT;
  private ValueLayout.OfLong longs = Layouts.LONG;
  private String part = "";
  private long start;
  private long skipped;
  private @Nullable CaptureFormatException firstSkipped;

  CaptureBytes(MemorySegment file) {
    this.file = file;
  }

  void order(ByteOrder order) {
    shorts = Layouts.SHORT.withOrder(order);
    ints = Layouts.INT.withOrder(order);
    longs = Layouts.LONG.withOrder(order);
  }

  long size() {
    return file.byteSize();
  }

  /** Names the part that starts at {@code offset}, for the errors that follow. */
  void begin(String name, long offset) {
    part = name;
    start = offset;
  }

  CaptureFormatException wrong(String what) {
    return new CaptureFormatException(part, start, what);
  }

  /** Notes that a part was skipped. */
  void skip(CaptureFormatException flaw) {
    skipped++;
    if (firstSkipped == null) {
      firstSkipped = flaw;
    }
  }

  long skipped() {
    return skipped;
  }

  Optional<CaptureFormatException> firstSkipped() {
    return Optional.ofNullable(firstSkipped);
  }

  /** Fails unless the file has so many bytes from {@code offset}. */
  void require(long offset, long length) throws CaptureFormatException {
    if (length > size() - offset) {
      throw wrong(
          "the file ends at %d, %d bytes too early".formatted(size(), length - (size() - offset)));
    }
  }

  int unsignedByte(long offset) {
    return file.get(Layouts.BYTE, offset) & 0xFF;
  }

  int unsignedShort(long offset) {
    return file.get(shorts, offset) & 0xFFFF;
  }

  int integer(long offset) {
    return file.get(ints, offset);
  }

  long unsignedInt(long offset) {
    return integer(offset) & 0xFFFF_FFFFL;
  }

  long longInteger(long offset) {
    return file.get(longs, offset);
  }

  String text(long offset, int length) {
    byte[] bytes = file.asSlice(offset, length).toArray(Layouts.BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
