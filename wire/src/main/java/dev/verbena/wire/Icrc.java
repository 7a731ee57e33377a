package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Invariant CRC of RoCE v2 packets (S12.4.1): CRC-32 over eight bytes of ones, the IP header, the
 * UDP header and everything from BTH to padding, where fields that change on the way count as ones
 * (IPv4 TOS, TTL and header checksum; IPv6 traffic class, flow label and hop limit; UDP checksum;
 * byte 4 of the BTH).
 *
 * <p>A socket sees neither IP nor UDP header, so one names their invariant fields with {@link
 * #addresses}; they hold for all packets until the next call.
 *
 * <p>An ICRC is an int here as {@link CRC32} gives it; on the wire its least significant byte comes
 * first. IPv4 headers have no options and, unless {@link #identification} says otherwise, ID 0 and
 * the don't-fragment flag.
 *
 * <p>The bytes are copied to follow the masked headers and summed in one pass. For small packets
 * that beats a second call into the CRC intrinsic; at 4 KiB it costs little, allocates nothing and
 * works for any segment. Not thread-safe.
 */
public final class Icrc {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /**
   * Where the BTH starts in the scratch area; for both IP versions the headers before it end here.
   */
  private static final int BTH = 8 + IpUdpHeader.IPV6_LENGTH + IpUdpHeader.UDP_LENGTH;

  private static final int UDP = BTH - IpUdpHeader.UDP_LENGTH;
  private static final int IPV4 = UDP - IpUdpHeader.IPV4_LENGTH;
  private static final int IPV6 = UDP - IpUdpHeader.IPV6_LENGTH;
  private static final int BTH_MASKED_BYTE = 4;
  private static final byte ONES = (byte) 0xFF;

  /** One packet of the largest path MTU fits without a second pass. */
  private static final int SCRATCH_LENGTH = BTH + 4096 + 128;

  private final CRC32 crc = new CRC32();
  private final byte[] scratch = new byte[SCRATCH_LENGTH];
  private boolean ipv4 = true;

  /** ID, and flags with the fragment offset, of IPv4 headers. */
  private int idAndFlags = IpUdpHeader.DONT_FRAGMENT;

  /** A calculator for packets from 0.0.0.0:0 to 0.0.0.0:0, until {@link #addresses} is called. */
  public Icrc() {
    Address anywhere = Address.ofIpv4(0);
    addresses(anywhere, anywhere, 0, 0);
  }

  /**
   * Sets the headers of the following packets.
   *
   * @param src source address
   * @param dst destination address
   * @param srcPort UDP source port
   * @param dstPort UDP destination port
   * @throws IllegalArgumentException if one address is IPv4 and the other is not
   */
  public void addresses(Address src, Address dst, int srcPort, int dstPort) {
    ipv4 = src.isIpv4();
    if (ipv4 != dst.isIpv4()) {
      throw new IllegalArgumentException("source and destination are of different IP versions");
    }
    if (ipv4) {
      Arrays.fill(scratch, IPV4 - 8, IPV4, ONES);
      scratch[IPV4] = 0x45;
      scratch[IPV4 + 1] = ONES;
      scratch[IPV4 + 8] = ONES;
      scratch[IPV4 + 9] = IpUdpHeader.PROTOCOL_UDP;
      SHORT.set(scratch, IPV4 + 10, (short) -1);
      INT.set(scratch, IPV4 + 12, src.ipv4());
      INT.set(scratch, IPV4 + 16, dst.ipv4());
    } else {
      Arrays.fill(scratch, IPV6 - 8, IPV6, ONES);
      INT.set(scratch, IPV6, 0x6FFFFFFF);
      scratch[IPV6 + 6] = IpUdpHeader.PROTOCOL_UDP;
      scratch[IPV6 + 7] = ONES;
      LONG.set(scratch, IPV6 + 8, src.hi());
      LONG.set(scratch, IPV6 + 16, src.lo());
      LONG.set(scratch, IPV6 + 24, dst.hi());
      LONG.set(scratch, IPV6 + 32, dst.lo());
    }
    SHORT.set(scratch, UDP, (short) srcPort);
    SHORT.set(scratch, UDP + 2, (short) dstPort);
    SHORT.set(scratch, UDP + 6, (short) -1);
  }

  /**
   * Sets ID and don't-fragment flag of the following IPv4 headers, whatever the addresses; no
   * effect on IPv6. Needed for all but the first segment of a GSO call, whose IDs count up from 0.
   *
   * @param id 16 bits
   */
  public void identification(int id, boolean dontFragment) {
    idAndFlags = id << 16 | (dontFragment ? IpUdpHeader.DONT_FRAGMENT : 0);
  }

  /** Whether the packets are IPv4, so that an ID takes part. */
  public boolean isIpv4() {
    return ipv4;
  }

  /**
   * The ICRC of a packet.
   *
   * @param segment memory that holds the packet
   * @param offset of its BTH
   * @param length bytes from BTH to ICRC, including the ICRC, which is not read; at least {@link
   *     RocePacket#MIN_LENGTH}
   */
  public int compute(MemorySegment segment, long offset, int length) {
    int udpLength = IpUdpHeader.UDP_LENGTH + length;
    int from;
    if (ipv4) {
      from = IPV4 - 8;
      SHORT.set(scratch, IPV4 + 2, (short) (IpUdpHeader.IPV4_LENGTH + udpLength));
      INT.set(scratch, IPV4 + 4, idAndFlags);
    } else {
      from = IPV6 - 8;
      SHORT.set(scratch, IPV6 + 4, (short) udpLength);
    }
    SHORT.set(scratch, UDP + 4, (short) udpLength);
    int covered = length - RocePacket.ICRC_LENGTH;
    int first = Math.min(covered, SCRATCH_LENGTH - BTH);
    MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, scratch, BTH, first);
    scratch[BTH + BTH_MASKED_BYTE] = ONES;
    crc.reset();
    crc.update(scratch, from, BTH + first - from);
    return first == covered
        ? (int) crc.getValue()
        : append(segment, offset + first, covered - first);
  }

  /** The ICRC that the packet given last would have, if more bytes followed those that count. */
  int append(MemorySegment segment, long offset, int length) {
    // The masked headers in front of the BTH stay as they are for the next packet.
    int count;
    for (int done = 0; done < length; done += count) {
      count = Math.min(length - done, SCRATCH_LENGTH - BTH);
      MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset + done, scratch, BTH, count);
      crc.update(scratch, BTH, count);
    }
    return (int) crc.getValue();
  }

  /** Writes the ICRC into the last four bytes of a packet; parameters as for {@link #compute}. */
  public void seal(MemorySegment segment, long offset, int length) {
    int icrc = compute(segment, offset, length);
    segment.set(Layouts.LITTLE_INT, offset + length - RocePacket.ICRC_LENGTH, icrc);
  }

  /**
   * In what the ICRC that a packet carries differs from the one computed: 0 if it is exact.
   * Parameters as for {@link #compute}.
   */
  public int difference(MemorySegment segment, long offset, int length) {
    int carried = segment.get(Layouts.LITTLE_INT, offset + length - RocePacket.ICRC_LENGTH);
    return compute(segment, offset, length) ^ carried;
  }

  /** Reads an ICRC from the wire. */
  public static int read(MemorySegment segment, long offset) {
    return segment.get(Layouts.LITTLE_INT, offset);
  }

  /** Writes an ICRC in wire order. */
  public static void write(MemorySegment segment, long offset, int icrc) {
    segment.set(Layouts.LITTLE_INT, offset, icrc);
  }
}
