package dev.verbena.interop.cases;

import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.interop.sides.Side;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** 64-bit values in a side's buffer, in the order of both CPUs, which is little-endian. */
final class Words {
  static void put(Side side, long off, long value) throws IOException {
    side.poke(off, buffer().putLong(value).array());
  }

  static void expect(Side side, long off, long wanted) throws IOException {
    long found = ByteBuffer.wrap(side.peek(off, Long.BYTES)).order(order()).getLong();
    if (found != wanted) {
      throw new CaseFailure(
          String.format("%s: expected 0x%x at %d, found 0x%x", side.name(), wanted, off, found));
    }
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(Long.BYTES).order(order());
  }

  private static ByteOrder order() {
    return ByteOrder.LITTLE_ENDIAN;
  }

  private Words() {}
}
