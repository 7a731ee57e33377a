package dev.verbena.interop.cases;

import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.interop.sides.Datagrams;
import dev.verbena.interop.sides.Side;
import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The 40 bytes before a datagram on RoCEv2 (S3.3): an IPv6 header, or 20 undefined bytes and an
 * IPv4 header.
 */
final class GrhArea {
  private static final int IPV4_AT = 20;
  private static final int UDP = 17;
  private static final int GID_BYTES = 16;

  /** Bytes around a payload in an IP packet: UDP, BTH, DETH, ICRC. */
  private static final int OVERHEAD = 8 + 12 + 8 + 4;

  /**
   * Fails unless the header is that of a datagram from {@code source} to {@code destination}.
   *
   * @param payload its bytes, with those of immediate data
   */
  static void check(Side side, long off, long payload, Gid source, Gid destination)
      throws IOException {
    ByteBuffer area = ByteBuffer.wrap(side.peek(off, Datagrams.GRH_AREA));
    long padded = (payload + 3) / 4 * 4 + OVERHEAD;
    boolean good =
        destination.isIpv4Mapped()
            ? isIpv4(area, padded + 20, source, destination)
            : isIpv6(area, padded, source, destination);
    if (!good) {
      throw new CaseFailure(
          side.name()
              + ": "
              + payload
              + " bytes from "
              + source
              + " to "
              + destination
              + " have the GRH area "
              + HexFormat.of().formatHex(area.array()));
    }
  }

  private static boolean isIpv4(ByteBuffer area, long length, Gid source, Gid destination) {
    int sum = 0;
    for (int at = IPV4_AT; at < Datagrams.GRH_AREA; at += 2) {
      sum += Short.toUnsignedInt(area.getShort(at));
    }
    // Linux omits the checksum of a packet that does not leave the computer.
    boolean unchecked = source.equals(destination) && area.getShort(IPV4_AT + 10) == 0;
    return area.get(IPV4_AT) == 0x45
        && Short.toUnsignedInt(area.getShort(IPV4_AT + 2)) == length
        && area.get(IPV4_AT + 9) == UDP
        && (unchecked || (sum & 0xffff) + (sum >>> 16) == 0xffff)
        && has(area, IPV4_AT + 12, source, 12)
        && has(area, IPV4_AT + 16, destination, 12);
  }

  private static boolean isIpv6(ByteBuffer area, long length, Gid source, Gid destination) {
    return (area.get(0) & 0xf0) == 0x60
        && Short.toUnsignedInt(area.getShort(4)) == length
        && has(area, 8, source, 0)
        && has(area, 24, destination, 0);
  }

  private static boolean has(ByteBuffer area, int at, Gid gid, int from) {
    byte[] wanted = Arrays.copyOfRange(gid.toBytes(), from, GID_BYTES);
    byte[] found = new byte[wanted.length];
    area.get(at, found);
    return Arrays.equals(found, wanted);
  }

  private GrhArea() {}
}
