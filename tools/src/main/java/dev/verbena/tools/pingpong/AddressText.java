package dev.verbena.tools.pingpong;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The text by which an end tells its address: hexadecimal fields separated by colons, the GID last,
 * and a closing NUL. The fields end at their colons and at the first NUL, so shorter numbers are as
 * good as padded ones; case does not matter.
 */
final class AddressText {
  /** The most that a queue pair number or a PSN can be. */
  static final int BITS_24 = 0xffffff;

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
   * @param format the names of its fields, as "LID:QPN:GID"
   * @throws IOException that quotes the message, if it has another number of fields
   */
  static AddressText split(byte[] message, String format) throws IOException {
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
  int number(int field, int most) throws IOException {
    try {
      int value = Integer.parseInt(parts[field], 16);
      if (value >= 0 && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw malformed();
    }
    throw malformed();
  }

  /** The GID, which is last. */
  Gid gid() throws IOException {
    String digits = parts[parts.length - 1];
    if (digits.length() != GID_DIGITS) {
      throw malformed();
    }
    try {
      return Gid.parse(digits);
    } catch (VerbsException e) {
      throw malformed();
    }
  }

  /** The message of so many bytes with this text. */
  static byte[] message(String text, int bytes) {
    return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), bytes);
  }

  private IOException malformed() {
    return new IOException(
        "the peer sent '"
            + text.substring(0, Math.min(text.length(), LONGEST_QUOTE)).replaceAll("[^ -~]", "?")
            + "' where "
            + format
            + " was expected; is it the same kind of ping-pong tool?");
  }
}
