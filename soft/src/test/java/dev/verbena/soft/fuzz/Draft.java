package dev.verbena.soft.fuzz;

import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A packet that is being changed. It need not be well-formed: fields that it is too short for do
 * not change.
 */
final class Draft {
  /** More than any packet has. */
  static final int MOST_BYTES = 8192;

  static final int BTH = 12;
  static final int ICRC = 4;

  private static final int OPCODE_AT = 0;
  private static final int FLAGS_AT = 1;
  private static final int PKEY_AT = 2;
  private static final int QPN_AT = 4;
  private static final int PSN_AT = 8;
  private static final int LOW_24 = 0xff_ffff;

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final MemorySegment memory = Arena.ofAuto().allocate(MOST_BYTES, Long.BYTES);
  private int length;

  /** Becomes a copy of a packet. */
  void copy(byte[] packet, int bytes) {
    MemorySegment.copy(packet, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes);
    length = bytes;
  }

  MemorySegment memory() {
    return memory;
  }

  /** Bytes from BTH to ICRC, if it has these. */
  int length() {
    return length;
  }

  /** Cuts or extends it; what is added are bytes of packets before. */
  void length(int bytes) {
    length = Math.clamp(bytes, 0, MOST_BYTES);
  }

  /** Whether it could have a BTH and an ICRC. */
  boolean hasFrame() {
    return length >= BTH + ICRC;
  }

  int opcode() {
    return memory.get(ValueLayout.JAVA_BYTE, OPCODE_AT) & 0xff;
  }

  /** Whether the opcode exists. */
  boolean isKnown() {
    return hasFrame() && Opcode.isValid(opcode());
  }

  /** What follows from the opcode, which exists. */
  Opcode.Row row() {
    return Opcode.row(opcode());
  }

  void opcode(int opcode) {
    setByte(OPCODE_AT, opcode);
  }

  /** SE, M, pad count and transport version. */
  int flags() {
    return memory.get(ValueLayout.JAVA_BYTE, FLAGS_AT) & 0xff;
  }

  void flags(int flags) {
    setByte(FLAGS_AT, flags);
  }

  void pkey(int pkey) {
    setShort(PKEY_AT, pkey);
  }

  int qpn() {
    return getInt(QPN_AT) & LOW_24;
  }

  void qpn(int qpn) {
    setInt(QPN_AT, (getInt(QPN_AT) & ~LOW_24) | (qpn & LOW_24));
  }

  int psn() {
    return getInt(PSN_AT) & LOW_24;
  }

  void psn(int psn) {
    setInt(PSN_AT, (getInt(PSN_AT) & ~LOW_24) | Psn.mask(psn));
  }

  int getInt(int at) {
    return memory.get(INT, at);
  }

  long getLong(int at) {
    return memory.get(LONG, at);
  }

  void setByte(int at, int value) {
    if (at < length) {
      memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }
  }

  void flip(int at, int bits) {
    if (at < length) {
      setByte(at, memory.get(ValueLayout.JAVA_BYTE, at) ^ bits);
    }
  }

  void setShort(int at, int value) {
    if (at + Short.BYTES <= length) {
      memory.set(SHORT, at, (short) value);
    }
  }

  void setInt(int at, int value) {
    if (at + Integer.BYTES <= length) {
      memory.set(INT, at, value);
    }
  }

  void setLong(int at, long value) {
    if (at + Long.BYTES <= length) {
      memory.set(LONG, at, value);
    }
  }

  /** Moves what follows a place, so that it begins elsewhere. */
  void move(int from, int to) {
    int rest = Math.max(0, Math.min(length - from, MOST_BYTES - to));
    MemorySegment.copy(memory, from, memory, to, rest);
    length = to + rest;
  }

  /** For messages: its bytes, as hexadecimal numbers. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (byte b : memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE)) {
      text.append(Character.forDigit((b >> 4) & 15, 16)).append(Character.forDigit(b & 15, 16));
    }
    return text.toString();
  }
}
