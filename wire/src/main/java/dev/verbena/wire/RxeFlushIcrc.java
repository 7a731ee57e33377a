package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * The ICRC that Linux's rxe gives to FLUSH packets, and expects in them. It differs from that of
 * all other packets: after everything else, BTH, FETH and RETH count a second time, unmasked, as if
 * the headers were their own payload (observed on Linux 6.12, between two rxe as well). Adapters,
 * and rxe for other packets, use the usual one.
 */
public final class RxeFlushIcrc {
  private RxeFlushIcrc() {}

  /** Whether rxe would compute it for the packet whose BTH starts here. */
  public static boolean appliesTo(MemorySegment segment, long offset) {
    int opcode = segment.get(Layouts.BYTE, offset) & 0xFF;
    return opcode == Opcode.RC_FLUSH || opcode == Opcode.XRC_FLUSH;
  }

  /**
   * The ICRC of a packet.
   *
   * @param icrc calculator with the packet's addresses
   * @param length bytes from BTH to ICRC, including the ICRC, which is not read
   */
  public static int compute(Icrc icrc, MemorySegment segment, long offset, int length) {
    icrc.compute(segment, offset, length);
    return icrc.append(segment, offset, length - RocePacket.ICRC_LENGTH);
  }

  /** Writes it into the last four bytes of a packet; parameters as for {@link #compute}. */
  public static void seal(Icrc icrc, MemorySegment segment, long offset, int length) {
    int value = compute(icrc, segment, offset, length);
    Icrc.write(segment, offset + length - RocePacket.ICRC_LENGTH, value);
  }

  /** Whether a packet carries it; parameters and certainty as for {@link IcrcCheck#accepts}. */
  public static boolean accepts(Icrc icrc, MemorySegment segment, long offset, int length) {
    int carried = Icrc.read(segment, offset + length - RocePacket.ICRC_LENGTH);
    int difference = compute(icrc, segment, offset, length) ^ carried;
    // The sum after the IP header covers as much as in a usual packet of this length.
    int likeLength = 2 * length - RocePacket.ICRC_LENGTH;
    return difference == 0 || (icrc.isIpv4() && IcrcCheck.isExplainedById(difference, likeLength));
  }
}
