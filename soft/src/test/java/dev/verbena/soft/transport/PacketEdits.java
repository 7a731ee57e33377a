package dev.verbena.soft.transport;

import dev.verbena.wire.Aeth;
import dev.verbena.wire.Bth;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Changes to the bytes of a packet, by their place in BTH and the header behind it (S12.2). */
final class PacketEdits {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  static void psn(MemorySegment packet, int psn) {
    int word = packet.get(INT, 8);
    packet.set(INT, 8, (word & 0xff000000) | (psn & 0xffffff));
  }

  static void pkey(MemorySegment packet, int pkey) {
    int word = packet.get(INT, 0);
    packet.set(INT, 0, (word & 0xffff0000) | (pkey & 0xffff));
  }

  /** Of a packet with AETH right behind BTH. */
  static void syndrome(MemorySegment packet, int syndrome) {
    packet.set(ValueLayout.JAVA_BYTE, Bth.LENGTH, (byte) syndrome);
  }

  /** Message sequence number of the AETH. */
  static void msn(MemorySegment packet, int msn) {
    packet.set(INT, Bth.LENGTH, Aeth.word(packet.get(INT, Bth.LENGTH) >>> 24, msn));
  }

  /** Address in RETH or AtomicETH. */
  static void va(MemorySegment packet, long va) {
    packet.set(LONG, Bth.LENGTH, va);
  }

  /** Key in RETH or AtomicETH. */
  static void rkey(MemorySegment packet, int rkey) {
    packet.set(INT, Bth.LENGTH + 8L, rkey);
  }

  /** Length in RETH. */
  static void length(MemorySegment packet, int length) {
    packet.set(INT, Bth.LENGTH + 12L, length);
  }

  private PacketEdits() {}
}
