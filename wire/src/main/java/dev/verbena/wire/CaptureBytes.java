package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a capture file in the byte order that its writer chose, and the part of the file
 * that is being read, for errors.
 */
final class CaptureBytes {
  private final MemorySegment file;
  private ValueLayout.OfShort shorts = Layouts.SHORT;
  private ValueLayout.OfInt ints = Layouts.INT;
  private ValueLayout.OfLong longs = Layouts.LONG;
  private String part = "";
  private long start;

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
