package dev.verbena.mad;

import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Bytes that a fuzzer makes up, read as steps: numbers, and what to change in a datagram, which is
 * how many bytes, and for each of them where and to what. So any datagram can be said, and one that
 * is nearly good by few bytes. Behind the end all is 0.
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

  /** The datagram with the changes that come next. */
  MemorySegment patched(MemorySegment mad) {
    for (int changes = next(); changes > 0; changes--) {
      long where = next() % MadHeader.MAD_LENGTH;
      mad.set(ValueLayout.JAVA_BYTE, where, (byte) next());
    }
    return mad;
  }
}
