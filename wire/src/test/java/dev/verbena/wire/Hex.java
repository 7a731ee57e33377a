package dev.verbena.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/** Hexadecimal text to native memory and back. */
final class Hex {
  private Hex() {}

  static MemorySegment segment(String text) {
    return segment(HexFormat.of().parseHex(text.replace(" ", "")));
  }

  static MemorySegment segment(byte[] bytes) {
    MemorySegment segment =
        Arena.ofAuto().allocate(Math.max(1, bytes.length)).asSlice(0, bytes.length);
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return segment;
  }

  static String text(MemorySegment segment, long offset, long length) {
    return HexFormat.of().formatHex(segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
  }
}
