package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * What comes before the IP header of a captured packet, by the numbers that capture files use. The
 * constants are those of Ethernet, tunnels and {@code any} on Linux; {@link #ipOffset} also knows
 * the loopbacks of other systems.
 */
public final class LinkType {
  /** Ethernet, with or without VLAN tags. */
  public static final int ETHERNET = 1;

  /** Nothing: the packet starts with its IPv4 or IPv6 header. */
  public static final int RAW = 101;

  /** Linux's "cooked" header of 16 bytes, as of the interface {@code any}. */
  public static final int LINUX_SLL = 113;

  /** The second version of {@link #LINUX_SLL}, of 20 bytes. */
  public static final int LINUX_SLL2 = 276;

  /** Nothing, before IPv4. */
  private static final int IPV4 = 228;

  /** Nothing, before IPv6. */
  private static final int IPV6 = 229;

  /** The protocol family in four bytes, as of the loopback interface of BSD and Windows. */
  private static final int NULL = 0;

  /** The same, always in network byte order. */
  private static final int LOOP = 108;

  private static final int SLL_LENGTH = 16;
  private static final int SLL2_LENGTH = 20;

  /** The device type of the loopback interface in both Linux headers (ARPHRD_LOOPBACK). */
  private static final int LOOPBACK_DEVICE = 772;

  private static final int OUTGOING = 4;

  private LinkType() {}

  /**
   * Where the IP header of a frame starts.
   *
   * @param linkType any number
   * @param frame memory that holds the frame
   * @param offset of the frame
   * @param length bytes of the frame
   * @return an offset in {@code frame}; -1 if the link type is not known, if the frame is cut off
   *     before, or if its header says that something else than IP follows. Where no header says
   *     what follows, as with {@link #RAW}, anything may.
   * @throws IndexOutOfBoundsException if the range is not inside the segment: the caller's mistake
   */
  public static long ipOffset(int linkType, MemorySegment frame, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, frame.byteSize());
    long end = offset + length;
    return switch (linkType) {
      case RAW, IPV4, IPV6 -> offset;
      case NULL, LOOP -> length < Integer.BYTES ? -1 : offset + Integer.BYTES;
      case ETHERNET -> behindType(frame, offset + EthernetHeader.LENGTH - Short.BYTES, end);
      case LINUX_SLL -> behindType(frame, offset + SLL_LENGTH - Short.BYTES, end);
      case LINUX_SLL2 -> behindSll2(frame, offset, end);
      default -> -1;
    };
  }

  /**
   * Whether a frame with one of the Linux headers was captured when it left by the loopback
   * interface. It is captured once more when it arrives.
   */
  public static boolean leavesByLoopback(
      int linkType, MemorySegment frame, long offset, long length) {
    return isLoopback(linkType, frame, offset, length, true);
  }

  /** Whether a frame with one of the Linux headers arrived at the loopback interface. */
  public static boolean arrivesByLoopback(
      int linkType, MemorySegment frame, long offset, long length) {
    return isLoopback(linkType, frame, offset, length, false);
  }

  private static boolean isLoopback(
      int linkType, MemorySegment frame, long offset, long length, boolean outgoing) {
    Objects.checkFromIndexSize(offset, length, frame.byteSize());
    int device;
    int packet;
    if (linkType == LINUX_SLL && length >= SLL_LENGTH) {
      packet = shortAt(frame, offset);
      device = shortAt(frame, offset + 2);
    } else if (linkType == LINUX_SLL2 && length >= SLL2_LENGTH) {
      device = shortAt(frame, offset + 8);
      packet = frame.get(Layouts.BYTE, offset + 10);
    } else {
      return false;
    }
    return device == LOOPBACK_DEVICE && (packet == OUTGOING) == outgoing;
  }

  private static long behindSll2(MemorySegment frame, long offset, long end) {
    if (end - offset < SLL2_LENGTH) {
      return -1;
    }
    int type = shortAt(frame, offset);
    long behind = offset + SLL2_LENGTH;
    // The type is the header's first field; that of a tag comes behind the header.
    return EthernetHeader.isVlan(type)
        ? behindType(frame, behind + Short.BYTES, end)
        : isIp(type) ? behind : -1;
  }

  /** Where IP starts behind an Ethernet type and VLAN tags. */
  private static long behindType(MemorySegment frame, long type, long end) {
    for (long at = type; at + Short.BYTES <= end; at += EthernetHeader.VLAN_LENGTH) {
      int found = shortAt(frame, at);
      if (!EthernetHeader.isVlan(found)) {
        return isIp(found) ? at + Short.BYTES : -1;
      }
    }
    return -1;
  }

  private static boolean isIp(int type) {
    return type == EthernetHeader.TYPE_IPV4 || type == EthernetHeader.TYPE_IPV6;
  }

  private static int shortAt(MemorySegment frame, long offset) {
    return frame.get(Layouts.SHORT, offset) & 0xFFFF;
  }
}
