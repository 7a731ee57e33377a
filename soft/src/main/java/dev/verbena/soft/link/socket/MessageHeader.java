package dev.verbena.soft.link.socket;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Offsets in the structs that sendmsg(2) and recvmsg(2) take on 64-bit Linux: msghdr, iovec and
 * cmsghdr.
 */
final class MessageHeader {
  /** Bytes of a struct msghdr. */
  static final int BYTES = 56;

  /** Bytes of a struct iovec. */
  static final int PIECE_BYTES = 16;

  /** Bytes of a struct cmsghdr: where its data starts. */
  static final int CONTROL_DATA = 16;

  /** Bytes of a control message with an int, padding included. */
  static final int CONTROL_INT_SPACE = 24;

  private static final int NAME = 0;
  private static final int NAME_LENGTH = 8;
  private static final int PIECES = 16;
  private static final int PIECE_COUNT = 24;
  private static final int CONTROL = 32;
  private static final int CONTROL_LENGTH = 40;

  private static final int PIECE_LENGTH = 8;

  private static final int CONTROL_LEVEL = 8;
  private static final int CONTROL_TYPE = 12;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private MessageHeader() {}

  /** Points a msghdr to its address, its only piece of payload and its control messages. */
  static void init(
      MemorySegment header, MemorySegment address, MemorySegment piece, MemorySegment control) {
    header.set(LONG, NAME, address.address());
    header.set(INT, NAME_LENGTH, (int) address.byteSize());
    header.set(LONG, PIECES, piece.address());
    header.set(LONG, PIECE_COUNT, 1);
    setControl(header, control.address(), control.byteSize());
  }

  /** Sets how many pieces of payload a message has, from the first that it points to. */
  static void setPieceCount(MemorySegment header, int count) {
    header.set(LONG, PIECE_COUNT, count);
  }

  static void setNameLength(MemorySegment header, int length) {
    header.set(INT, NAME_LENGTH, length);
  }

  static void setControl(MemorySegment header, long address, long length) {
    header.set(LONG, CONTROL, length == 0 ? 0 : address);
    header.set(LONG, CONTROL_LENGTH, length);
  }

  static long controlLength(MemorySegment header) {
    return header.get(LONG, CONTROL_LENGTH);
  }

  static void writePiece(MemorySegment piece, long address, long length) {
    writePiece(piece, 0, address, length);
  }

  /** Writes one of several struct iovec that lie one behind the other. */
  static void writePiece(MemorySegment pieces, int index, long address, long length) {
    long at = (long) index * PIECE_BYTES;
    pieces.set(LONG, at, address);
    pieces.set(LONG, at + PIECE_LENGTH, length);
  }

  /** Writes the header of a control message with an int. */
  static void writeControl(MemorySegment control, long offset, int level, int type) {
    writeControl(control, offset, level, type, Integer.BYTES);
  }

  /** Writes the header of a control message with so many bytes, 8 at the most. */
  static void writeControl(MemorySegment control, long offset, int level, int type, int bytes) {
    control.set(LONG, offset, CONTROL_DATA + bytes);
    control.set(INT, offset + CONTROL_LEVEL, level);
    control.set(INT, offset + CONTROL_TYPE, type);
  }

  /** Bytes of a control message, without padding. */
  static long controlMessageLength(MemorySegment control, long offset) {
    return control.get(LONG, offset);
  }

  static int controlLevel(MemorySegment control, long offset) {
    return control.get(INT, offset + CONTROL_LEVEL);
  }

  static int controlType(MemorySegment control, long offset) {
    return control.get(INT, offset + CONTROL_TYPE);
  }

  /** Where the next control message starts. */
  static long nextControl(long offset, long length) {
    return offset + (length + Long.BYTES - 1 & -Long.BYTES);
  }
}
