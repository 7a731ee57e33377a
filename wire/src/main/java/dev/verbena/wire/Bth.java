package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * Base transport header, 12 bytes, big-endian (S12.2):
 *
 * <pre>
 * 0  OpCode 8
 * 1  SE 1 | MigReq 1 | PadCnt 2 | TVer 4
 * 2  P_Key 16
 * 4  FECN 1 | BECN 1 | reserved 6
 * 5  DestQP 24
 * 8  AckReq 1 | reserved 7
 * 9  PSN 24
 * </pre>
 *
 * The offset argument of each method is that of the header's first byte. {@link RocePacket#parse}
 * reads all of it at once.
 */
public final class Bth {
  /** Bytes of this header. */
  public static final int LENGTH = 12;

  /** The only transport header version. */
  public static final int TRANSPORT_VERSION = 0;

  /** The solicited event bit, in the first four bytes. */
  public static final int SOLICITED = 1 << 23;

  /**
   * The migration request bit, in the first four bytes. Hardware sends it, rxe does not, and
   * receivers without path migration ignore it.
   */
  public static final int MIG_REQ = 1 << 22;

  /** The acknowledge request bit, in the last four bytes. */
  public static final int ACK_REQUEST = 1 << 31;

  /** The most further packets that one may stand for. */
  public static final int MOST_FURTHER = 0x3F;

  static final int OPCODE_SHIFT = 24;
  static final int PAD_SHIFT = 20;
  static final int MOST_PAD = 3;
  static final int VERSION_SHIFT = 16;
  static final int VERSION_BITS = 0x0F;
  static final int PKEY_BITS = 0xFFFF;

  private static final int FECN = 0x80;
  private static final int BECN = 0x40;

  private Bth() {}

  /**
   * Writes the whole header: FECN, BECN, reserved bits and transport version are 0.
   *
   * @param opcode 0..255, one of {@link Opcode}
   * @param flags the bits that are set: {@link #SOLICITED}, {@link #MIG_REQ}, {@link #ACK_REQUEST}
   * @param padCount zero bytes between payload and ICRC, 0..3
   * @param pkey partition key, low 16 bits count
   * @param destQpn destination queue pair, low 24 bits count
   * @param psn packet sequence number, low 24 bits count
   */
  public static void write(
      MemorySegment segment,
      long offset,
      int opcode,
      int flags,
      int padCount,
      int pkey,
      int destQpn,
      int psn) {
    int first =
        opcode << OPCODE_SHIFT
            | (flags & (SOLICITED | MIG_REQ))
            | (padCount & MOST_PAD) << PAD_SHIFT;
    segment.set(Layouts.INT, offset, first | (pkey & PKEY_BITS));
    segment.set(Layouts.INT, offset + 4, destQpn & Layouts.LOW_24);
    segment.set(Layouts.INT, offset + 8, (flags & ACK_REQUEST) | (psn & Layouts.LOW_24));
  }

  /** Opcode, 0..255. */
  public static int opcode(MemorySegment segment, long offset) {
    return segment.get(Layouts.BYTE, offset) & 0xFF;
  }

  /** Forward congestion notification bit. */
  public static boolean fecn(MemorySegment segment, long offset) {
    return (segment.get(Layouts.BYTE, offset + 4) & FECN) != 0;
  }

  /** Backward congestion notification bit. */
  public static boolean becn(MemorySegment segment, long offset) {
    return (segment.get(Layouts.BYTE, offset + 4) & BECN) != 0;
  }

  /** Sets both congestion bits. The ICRC does not cover them. */
  public static void congestion(MemorySegment segment, long offset, boolean fecn, boolean becn) {
    segment.set(Layouts.BYTE, offset + 4, (byte) ((fecn ? FECN : 0) | (becn ? BECN : 0)));
  }

  /**
   * Makes the packet a long one, which stands for so many further packets of its message, in the
   * reserved bits next to the congestion bits. Only for links that know long packets; all others
   * need 0 there, as {@link #write} leaves it.
   *
   * @param count 0..{@value #MOST_FURTHER}
   */
  public static void further(MemorySegment segment, long offset, int count) {
    int congestion = segment.get(Layouts.BYTE, offset + 4) & (FECN | BECN);
    segment.set(Layouts.BYTE, offset + 4, (byte) (congestion | (count & MOST_FURTHER)));
  }

  /** How many further packets a long one stands for; anything if the link knows none. */
  public static int further(MemorySegment segment, long offset) {
    return segment.get(Layouts.BYTE, offset + 4) & MOST_FURTHER;
  }

  /** Destination queue pair number, 24 bits. */
  public static int destQpn(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset + 4) & Layouts.LOW_24;
  }

  /** Packet sequence number, 24 bits. */
  public static int psn(MemorySegment segment, long offset) {
    return segment.get(Layouts.INT, offset + 8) & Layouts.LOW_24;
  }

  /** Bytes of padding that a payload of this length needs (S12.1.3). */
  public static int padFor(long payloadLength) {
    return (int) -payloadLength & 3;
  }
}
