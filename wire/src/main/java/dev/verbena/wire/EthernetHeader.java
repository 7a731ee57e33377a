package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * The Ethernet header: destination 48 | source 48 | type 16, with VLAN tags (802.1Q: 0x8100 | TCI
 * 16) before the type. A MAC address is the low 48 bits of a long, with its first byte in the top
 * bits.
 */
public final class EthernetHeader {
  /** Bytes without VLAN tag. */
  public static final int LENGTH = 14;

  /** Bytes of one VLAN tag. */
  public static final int VLAN_LENGTH = 4;

  /**
   * Bytes of the shortest frame on the wire, without its check sequence; shorter frames are padded.
   */
  public static final int MIN_FRAME = 60;

  /** Type of IPv4. */
  public static final int TYPE_IPV4 = 0x0800;

  /** Type of IPv6. */
  public static final int TYPE_IPV6 = 0x86DD;

  /** Type of a VLAN tag (802.1Q). */
  public static final int TYPE_VLAN = 0x8100;

  /** Type of the outer one of two VLAN tags (802.1ad). */
  public static final int TYPE_SERVICE_VLAN = 0x88A8;

  private static final long MAC = 0xFFFF_FFFF_FFFFL;
  private static final long GROUP_BIT = 1L << 40;

  private EthernetHeader() {}

  /** Writes the header. */
  public static void write(MemorySegment segment, long offset, long dst, long src, int type) {
    writeMac(segment, offset, dst);
    writeMac(segment, offset + 6, src);
    segment.set(Layouts.SHORT, offset + 12, (short) type);
  }

  private static void writeMac(MemorySegment segment, long offset, long mac) {
    segment.set(Layouts.SHORT, offset, (short) (mac >>> 32));
    segment.set(Layouts.INT, offset + 2, (int) mac);
  }

  /** Destination. */
  public static long dst(MemorySegment segment, long offset) {
    return segment.get(Layouts.LONG, offset) >>> 16;
  }

  /** Source. */
  public static long src(MemorySegment segment, long offset) {
    return segment.get(Layouts.LONG, offset + 4) & MAC;
  }

  /** Whether this is the address of a group: multicast or broadcast. */
  public static boolean isGroup(long mac) {
    return (mac & GROUP_BIT) != 0;
  }

  /** Whether a type says that a VLAN tag follows. */
  public static boolean isVlan(int type) {
    return type == TYPE_VLAN || type == TYPE_SERVICE_VLAN;
  }
}
