package dev.verbena.tools.kit;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The text that carries an end's address: hexadecimal fields separated by colons, and a closing
 * NUL. A field ends at its colon or at the first NUL, so shorter numbers are as valid as padded
 * ones; case does not matter.
 */
public final class AddressText {
  /** The largest queue pair number or PSN. */
  public static final int BITS_24 = 0xffffff;

  private static final int GID_DIGITS = 32;
  private static final int LONGEST_QUOTE = 80;

  private final String text;
  private final String[] parts;
  private final String format;

  private AddressText(String text, String[] parts, String format) {
    this.text = text;
    this.parts = parts;
    this.format = format;
  }

  /**
   * Splits a message.
   *
   * @param format the names of its fields, such as "LID:QPN:GID"
   * @throws IOException if it has another number of fields, quoting the message
   */
  public static AddressText split(byte[] message, String format) throws IOException {
    int end = 0;
    while (end < message.length && message[end] != 0) {
      end++;
    }
    String text = new String(message, 0, end, StandardCharsets.ISO_8859_1);
    AddressText split = new AddressText(text, text.split(":", -1), format);
    if (split.parts.length != format.split(":").length) {
      throw split.malformed();
    }
    return split;
  }

  /** A number from 0 to {@code most}. */
  public int number(int field, int most) throws IOException {
    long value = number(field);
    if (value < 0 || value > most) {
      throw malformed();
    }
    return (int) value;
  }

  /** A number of up to 64 bits, unsigned. */
  public long number(int field) throws IOException {
    try {
      return Long.parseUnsignedLong(parts[field], 16);
    } catch (NumberFormatException e) {
      throw malformed();
    }
  }

  /** The GID, if it is last. */
  public Gid gid() throws IOException {
    return gid(parts.length - 1, 1);
  }

  /** A GID spread over {@code fields} fields, which together have all its digits. */
  public Gid gid(int field, int fields) throws IOException {
    String digits = String.join("", Arrays.asList(parts).subList(field, field + fields));
    if (digits.length() != GID_DIGITS) {
      throw malformed();
    }
    try {
      return Gid.parse(digits);
    } catch (VerbsException e) {
      throw malformed();
    }
  }

  /** A message of {@code bytes} bytes with this text. */
  public static byte[] message(String text, int bytes) {
    return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), bytes);
  }

  private IOException malformed() {
    return new IOException(
        "the peer sent '"
            + text.substring(0, Math.min(text.length(), LONGEST_QUOTE)).replaceAll("[^ -~]", "?")
            + "' where "
            + format
            + " was expected; is it the same kind of tool?");
  }
}
