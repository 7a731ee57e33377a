package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Formats the blocks of a pcapng capture file (IETF draft-ietf-opsawg-pcapng), little-endian: one
 * section header, one interface description per interface, then one enhanced packet block per
 * packet.
 *
 * <p>Every write method returns the number of bytes written, a multiple of 4, as the matching
 * length method returns it beforehand. Time stamps are nanoseconds since 1970-01-01 UTC.
 */
public final class PcapngWriter {
  /** The comment of a packet that has none. */
  public static final byte[] NO_COMMENT = {};

  static final int SECTION_HEADER = 0x0A0D0D0A;
  static final int INTERFACE_DESCRIPTION = 1;
  static final int ENHANCED_PACKET = 6;

  static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
  private static final long SECTION_LENGTH_UNKNOWN = -1;

  static final int OPTION_END = 0;
  static final int OPTION_COMMENT = 1;
  static final int OPTION_IF_NAME = 2;
  static final int OPTION_IF_TSRESOL = 9;
  private static final byte NANOSECONDS = 9;

  static final int SECTION_HEADER_LENGTH = 28;
  static final int INTERFACE_FIXED = 16;
  static final int PACKET_FIXED = 28;
  static final int OPTION_HEADER = 4;
  static final int TRAILER = 4;
  private static final int MAX_OPTION = 0xFFFF;

  private PcapngWriter() {}

  /** Writes the block that every file starts with. */
  public static int writeSectionHeader(MemorySegment segment, long offset) {
    start(segment, offset, SECTION_HEADER, SECTION_HEADER_LENGTH);
    segment.set(Layouts.LITTLE_INT, offset + 8, BYTE_ORDER_MAGIC);
    segment.set(Layouts.LITTLE_SHORT, offset + 12, (short) 1);
    segment.set(Layouts.LITTLE_SHORT, offset + 14, (short) 0);
    segment.set(Layouts.LITTLE_LONG, offset + 16, SECTION_LENGTH_UNKNOWN);
    return SECTION_HEADER_LENGTH;
  }

  /**
   * Bytes of an interface description block.
   *
   * @param name the interface's name in UTF-8, at most 65,535 bytes
   */
  public static int interfaceDescriptionLength(byte[] name) {
    return INTERFACE_FIXED
        + OPTION_HEADER
        + padded(checkOption(name).length)
        + OPTION_HEADER
        + padded(1)
        + OPTION_HEADER
        + TRAILER;
  }

  /**
   * Writes the description of the next interface; the first one written has ID 0.
   *
   * @param linkType as {@link LinkType#RAW}
   * @param snapLength the most bytes captured of a packet, 0 for no limit
   * @param name the interface's name in UTF-8, at most 65,535 bytes
   */
  public static int writeInterfaceDescription(
      MemorySegment segment, long offset, int linkType, int snapLength, byte[] name) {
    int length = interfaceDescriptionLength(name);
    start(segment, offset, INTERFACE_DESCRIPTION, length);
    segment.set(Layouts.LITTLE_SHORT, offset + 8, (short) linkType);
    segment.set(Layouts.LITTLE_SHORT, offset + 10, (short) 0);
    segment.set(Layouts.LITTLE_INT, offset + 12, snapLength);
    long at = option(segment, offset + INTERFACE_FIXED, OPTION_IF_NAME, name);
    at = option(segment, at, OPTION_IF_TSRESOL, new byte[] {NANOSECONDS});
    optionHeader(segment, at, OPTION_END, 0);
    return length;
  }

  /**
   * Bytes of an enhanced packet block.
   *
   * @param capturedLength bytes of the packet that the block holds
   * @param comment UTF-8, at most 65,535 bytes; empty for none
   */
  public static int enhancedPacketLength(int capturedLength, byte[] comment) {
    int options =
        checkOption(comment).length == 0
            ? 0
            : OPTION_HEADER + padded(comment.length) + OPTION_HEADER;
    return PACKET_FIXED + padded(capturedLength) + options + TRAILER;
  }

  /**
   * Writes a packet that consists of headers and body.
   *
   * @param interfaceId which interface description it belongs to, from 0
   * @param nanos time stamp
   * @param headers the first part, such as IP and UDP headers
   * @param body the rest, from BTH to ICRC
   * @param comment what happened to the packet, UTF-8; {@link #NO_COMMENT} for none
   */
  public static int writeEnhancedPacket(
      MemorySegment segment,
      long offset,
      int interfaceId,
      long nanos,
      MemorySegment headers,
      MemorySegment body,
      byte[] comment) {
    int captured = (int) (headers.byteSize() + body.byteSize());
    int length = enhancedPacketLength(captured, comment);
    start(segment, offset, ENHANCED_PACKET, length);
    segment.set(Layouts.LITTLE_INT, offset + 8, interfaceId);
    segment.set(Layouts.LITTLE_INT, offset + 12, (int) (nanos >>> 32));
    segment.set(Layouts.LITTLE_INT, offset + 16, (int) nanos);
    segment.set(Layouts.LITTLE_INT, offset + 20, captured);
    segment.set(Layouts.LITTLE_INT, offset + 24, captured);
    long at = offset + PACKET_FIXED;
    MemorySegment.copy(headers, 0, segment, at, headers.byteSize());
    MemorySegment.copy(body, 0, segment, at + headers.byteSize(), body.byteSize());
    at = pad(segment, at + captured, captured);
    if (comment.length > 0) {
      at = option(segment, at, OPTION_COMMENT, comment);
      optionHeader(segment, at, OPTION_END, 0);
    }
    return length;
  }

  /** Type and both lengths of a block. */
  private static void start(MemorySegment segment, long offset, int type, int length) {
    segment.set(Layouts.LITTLE_INT, offset, type);
    segment.set(Layouts.LITTLE_INT, offset + 4, length);
    segment.set(Layouts.LITTLE_INT, offset + length - TRAILER, length);
  }

  private static long option(MemorySegment segment, long offset, int code, byte[] value) {
    optionHeader(segment, offset, code, value.length);
    long at = offset + OPTION_HEADER;
    MemorySegment.copy(value, 0, segment, ValueLayout.JAVA_BYTE, at, value.length);
    return pad(segment, at + value.length, value.length);
  }

  private static void optionHeader(MemorySegment segment, long offset, int code, int length) {
    segment.set(Layouts.LITTLE_SHORT, offset, (short) code);
    segment.set(Layouts.LITTLE_SHORT, offset + 2, (short) length);
  }

  /** Writes the zeros that follow {@code length} bytes and returns where they end. */
  private static long pad(MemorySegment segment, long offset, int length) {
    int zeros = padded(length) - length;
    for (int i = 0; i < zeros; i++) {
      segment.set(Layouts.BYTE, offset + i, (byte) 0);
    }
    return offset + zeros;
  }

  private static int padded(int length) {
    return (length + 3) & ~3;
  }

  private static byte[] checkOption(byte[] value) {
    if (value.length > MAX_OPTION) {
      throw new IllegalArgumentException(
          "pcapng option of " + value.length + " bytes, the limit is " + MAX_OPTION);
    }
    return value;
  }
}
