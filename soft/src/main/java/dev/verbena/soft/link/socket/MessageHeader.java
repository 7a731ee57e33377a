package dev.verbena.soft.link.socket;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Offsets in the structs of sendmsg(2) and recvmsg(2) on 64-bit Linux: msghdr, iovec and cmsghdr.
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

  /** In a struct msghdr, offset of the length of the address, an int. */
  static final int NAME_LENGTH = 8;

  /** In it, offset of the number of pieces of payload, a long. */
  static final int PIECE_COUNT = 24;

  /** In it, offset of the size of all control messages, a long. */
  static final int CONTROL_LENGTH = 40;

  /** In a struct cmsghdr, offset of its length without padding, a long. */
  static final int MESSAGE_LENGTH = 0;

  /** In it, offset of its level, an int. */
  static final int LEVEL = 8;

  /** In it, offset of its type, an int. */
  static final int TYPE = 12;

  /** Each struct cmsghdr starts at a multiple of this. */
  static final long CONTROL_ALIGNMENT = Long.BYTES;

  private static final int NAME = 0;
  private static final int PIECES = 16;
  private static final int CONTROL = 32;

  private static final int PIECE_LENGTH = 8;

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

  static void setControl(MemorySegment header, long address, long length) {
    header.set(LONG, CONTROL, length == 0 ? 0 : address);
    header.set(LONG, CONTROL_LENGTH, length);
  }

  /** Writes one of several consecutive struct iovec. */
  static void writePiece(MemorySegment pieces, int index, long address, long length) {
    long at = (long) index * PIECE_BYTES;
    pieces.set(LONG, at, address);
    pieces.set(LONG, at + PIECE_LENGTH, length);
  }

  /** Writes the header of a control message with an int. */
  static void writeControl(MemorySegment control, long offset, int level, int type) {
    writeControl(control, offset, level, type, Integer.BYTES);
  }

  /** Writes the header of a control message with this number of bytes, at most 8. */
  static void writeControl(MemorySegment control, long offset, int level, int type, int bytes) {
    control.set(LONG, offset + MESSAGE_LENGTH, CONTROL_DATA + bytes);
    control.set(INT, offset + LEVEL, level);
    control.set(INT, offset + TYPE, type);
  }
}
