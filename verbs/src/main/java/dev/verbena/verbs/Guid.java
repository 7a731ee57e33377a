package dev.verbena.verbs;

import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A globally unique identifier of a node, a port or a system image: 64 bits, in network byte order
 * on the wire.
 *
 * @param value the 8 bytes, read big-endian
 */
public record Guid(long value) {
  /** All zero: none. */
  public static final Guid ZERO = new Guid(0);

  private static final int GROUP_DIGITS = 4;
  private static final Pattern GROUPS =
      Pattern.compile(
          "([0-9A-Fa-f]{1,4}):([0-9A-Fa-f]{1,4}):([0-9A-Fa-f]{1,4}):([0-9A-Fa-f]{1,4})");
  private static final Pattern WHOLE_NUMBER = Pattern.compile("0[xX][0-9A-Fa-f]{16}");
  private static final Pattern NUMBER = Pattern.compile("0[xX]([0-9A-Fa-f]{1,16})");

  /**
   * The GUID with these 8 bytes.
   *
   * @throws VerbsException EINVAL for another length
   */
  public static Guid ofBytes(byte[] raw) {
    if (raw.length != Long.BYTES) {
      throw new VerbsException("guid", Errno.EINVAL, "a GUID has 8 bytes, not " + raw.length);
    }
    return new Guid(ByteBuffer.wrap(raw).getLong());
  }

  /**
   * Parses four groups of up to four hexadecimal digits, such as {@code 0002:c903:0000:1491}, or a
   * number, such as {@code 0x0002c90300001491}.
   *
   * @throws VerbsException EINVAL for anything else
   */
  public static Guid parse(String text) {
    Matcher number = NUMBER.matcher(text);
    if (number.matches()) {
      return new Guid(Long.parseUnsignedLong(number.group(1), 16));
    }
    Matcher groups = GROUPS.matcher(text);
    if (!groups.matches()) {
      throw new VerbsException(
          "guid",
          Errno.EINVAL,
          "'" + text + "' is not a GUID: four groups of four hexadecimal digits with colons");
    }
    long value = 0;
    for (int i = 1; i <= groups.groupCount(); i++) {
      value = value << Short.SIZE | Integer.parseInt(groups.group(i), 16);
    }
    return new Guid(value);
  }

  /**
   * Whether the text can only be a GUID: four groups, unlike any GID, LID or name, or a number with
   * all 16 digits.
   */
  static boolean looksLikeOne(String text) {
    return GROUPS.matcher(text).matches() || WHOLE_NUMBER.matcher(text).matches();
  }

  /** The 8 bytes in network order. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  /** Whether all bits are zero. */
  public boolean isZero() {
    return value == 0;
  }

  /** Four groups of four hexadecimal digits, lower case: {@code 0002:c903:0000:1491}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(String.format("%016x", value));
    for (int at = 3 * GROUP_DIGITS; at > 0; at -= GROUP_DIGITS) {
      text.insert(at, ':');
    }
    return text.toString();
  }
}
