package dev.verbena.verbs;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A global identifier: 128 bits in network byte order (union ibv_gid). On RoCE it is an IP address,
 * IPv4 as ::ffff:a.b.c.d.
 *
 * @param subnetPrefix the first 8 bytes, read big-endian
 * @param interfaceId the last 8 bytes, read big-endian
 */
public record Gid(long subnetPrefix, long interfaceId) {
  /** All zero: an empty table entry. */
  public static final Gid ZERO = new Gid(0, 0);

  private static final Pattern ADDRESS =
      Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*|[0-9]+([.][0-9]+){3}");

  private static final long MAPPED = 0xffffL << 32;

  /** The GID of an IP address; IPv4 is mapped. */
  public static Gid of(InetAddress address) {
    byte[] raw = address.getAddress();
    if (raw.length == 4) {
      return new Gid(0, MAPPED | Integer.toUnsignedLong(ByteBuffer.wrap(raw).getInt()));
    }
    return ofBytes(raw);
  }

  /**
   * The GID with these 16 bytes.
   *
   * @throws VerbsException EINVAL for another length
   */
  public static Gid ofBytes(byte[] raw) {
    if (raw.length != 16) {
      throw new VerbsException("gid", Errno.EINVAL, "a GID has 16 bytes, not " + raw.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(raw);
    return new Gid(buffer.getLong(), buffer.getLong());
  }

  /**
   * Parses IPv6 or IPv4 text, or the 32 hexadecimal digits without colons that the pingpong tools
   * exchange. Never queries a name service.
   *
   * @throws VerbsException EINVAL for anything else
   */
  public static Gid parse(String text) {
    if (isHex(text)) {
      return ofBytes(HexFormat.of().parseHex(text));
    }
    // InetAddress would also take "10.1", "[::1]" and "fe80::1%2", whose scope a GID cannot hold.
    if (!ADDRESS.matcher(text).matches()) {
      throw new VerbsException("gid", Errno.EINVAL, "'" + text + "' is not an IP address");
    }
    try {
      return of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException e) {
      throw new VerbsException("gid", Errno.EINVAL, "'" + text + "' is not an IP address", e);
    }
  }

  private static boolean isHex(String text) {
    return text.length() == 32 && text.chars().allMatch(HexFormat::isHexDigit);
  }

  /** Whether {@link #parse} would try this text: no device name looks like it. */
  static boolean looksLikeOne(String text) {
    return isHex(text) || ADDRESS.matcher(text).matches();
  }

  /** The 16 bytes in network order. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(16).putLong(subnetPrefix).putLong(interfaceId).array();
  }

  /** The 32 hexadecimal digits, lower case, without colons, that the pingpong tools exchange. */
  public String toWireHex() {
    return HexFormat.of().toHexDigits(subnetPrefix) + HexFormat.of().toHexDigits(interfaceId);
  }

  /** The lower half; for a port's own GID, the port's GUID. */
  public Guid guid() {
    return new Guid(interfaceId);
  }

  /** The 128 bits as a number that is not negative. */
  public BigInteger toBigInteger() {
    return new BigInteger(1, toBytes());
  }

  /** Whether this is an IPv4 address, ::ffff:a.b.c.d. */
  public boolean isIpv4Mapped() {
    return subnetPrefix == 0 && interfaceId >>> 32 == 0xffff;
  }

  /** Whether all bits are zero. */
  public boolean isZero() {
    return subnetPrefix == 0 && interfaceId == 0;
  }

  /** Whether this is an IPv6 multicast group (ff00::/8) or a mapped IPv4 one (224.0.0.0/4). */
  public boolean isMulticast() {
    return subnetPrefix >>> 56 == 0xff || (isIpv4Mapped() && (interfaceId >>> 28 & 0xf) == 0xe);
  }

  /** The IP address; an Inet4Address if {@link #isIpv4Mapped()}. */
  public InetAddress toInetAddress() {
    try {
      byte[] raw = toBytes();
      return InetAddress.getByAddress(
          isIpv4Mapped() ? ByteBuffer.allocate(4).putInt((int) interfaceId).array() : raw);
    } catch (UnknownHostException e) {
      throw new AssertionError("4 or 16 bytes always make an address", e);
    }
  }

  /** The text of the IP address: 10.0.0.1 for IPv4, and {@link #toString} for IPv6. */
  public String toAddressText() {
    return isIpv4Mapped() ? toInetAddress().getHostAddress() : toString();
  }

  /**
   * IPv6 text as inet_ntop writes it: "::" for zero and "::ffff:10.0.0.1" for IPv4. If only the
   * last 32 bits are set, and their upper half is not zero, they are dotted too: "::10.0.0.1".
   */
  @Override
  public String toString() {
    boolean compatible = subnetPrefix == 0 && interfaceId >>> 32 == 0 && interfaceId >>> 16 != 0;
    if (isIpv4Mapped() || compatible) {
      return (compatible ? "::" : "::ffff:")
          + (interfaceId >>> 24 & 0xff)
          + "."
          + (interfaceId >>> 16 & 0xff)
          + "."
          + (interfaceId >>> 8 & 0xff)
          + "."
          + (interfaceId & 0xff);
    }
    return Ipv6Text.format(subnetPrefix, interfaceId);
  }
}
