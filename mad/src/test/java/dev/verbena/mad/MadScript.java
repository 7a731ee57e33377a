package dev.verbena.mad;

import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A fuzzer's bytes, read as steps: numbers, and changes to a datagram (the number of bytes, and the
 * offset and new value of each). So a script can express any datagram, and one that is almost valid
 * with few bytes. After the end all bytes are 0.
 */
final class MadScript {
  private final byte[] bytes;
  private int at;

  MadScript(byte[] bytes) {
    this.bytes = bytes;
  }

  boolean hasNext() {
    return at < bytes.length;
  }

  /** The next number, 0 to 255. */
  int next() {
    return hasNext() ? Byte.toUnsignedInt(bytes[at++]) : 0;
  }

  /** The datagram with the next changes. */
  MemorySegment patched(MemorySegment mad) {
    for (int changes = next(); changes > 0; changes--) {
      long where = next() % MadHeader.MAD_LENGTH;
      mad.set(ValueLayout.JAVA_BYTE, where, (byte) next());
    }
    return mad;
  }
}
