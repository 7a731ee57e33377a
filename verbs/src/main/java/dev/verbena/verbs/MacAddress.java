package dev.verbena.verbs;

import java.util.HexFormat;
import java.util.Locale;

/**
 * An Ethernet address.
 *
 * @param bits the address in the low 48 bits, with its first byte most significant
 */
public record MacAddress(long bits) {
  /** ff:ff:ff:ff:ff:ff, also the mask that compares every bit. */
  public static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);

  /** All zero, also the mask that compares nothing. */
  public static final MacAddress ZERO = new MacAddress(0);

  private static final int BYTES = 6;
  private static final HexFormat TEXT = HexFormat.ofDelimiter(":");
  private static final long GROUP_BIT = 1L << 40;

  /**
   * An address of 48 bits.
   *
   * @throws VerbsException EINVAL if a higher bit is set
   */
  public MacAddress {
    if (bits >>> (BYTES * Byte.SIZE) != 0) {
      throw refused("0x" + Long.toHexString(bits) + " has more than 48 bits");
    }
  }

  /**
   * The address with these six bytes.
   *
   * @throws VerbsException EINVAL for another length
   */
  public static MacAddress ofBytes(byte[] raw) {
    if (raw.length != BYTES) {
      throw refused("a MAC address has 6 bytes, not " + raw.length);
    }
    long bits = 0;
    for (byte each : raw) {
      bits = (bits << Byte.SIZE) | (each & 0xff);
    }
    return new MacAddress(bits);
  }

  /**
   * Parses six pairs of hexadecimal digits with colons between them.
   *
   * @throws VerbsException EINVAL for anything else
   */
  public static MacAddress parse(String text) {
    if (!text.matches("[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}")) {
      throw refused("'" + text + "' is not six pairs of hexadecimal digits with colons");
    }
    return ofBytes(TEXT.parseHex(text.toLowerCase(Locale.ROOT)));
  }

  /** The six bytes, as they are on the wire. */
  public byte[] toBytes() {
    byte[] raw = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      raw[i] = (byte) (bits >>> ((BYTES - 1 - i) * Byte.SIZE));
    }
    return raw;
  }

  /** Whether this is a group address: multicast or broadcast. */
  public boolean isGroup() {
    return (bits & GROUP_BIT) != 0;
  }

  /** Six pairs of hexadecimal digits, lower case, with colons between them. */
  @Override
  public String toString() {
    return TEXT.formatHex(toBytes());
  }

  private static VerbsException refused(String detail) {
    return new VerbsException("macAddress", Errno.EINVAL, detail);
  }
}
