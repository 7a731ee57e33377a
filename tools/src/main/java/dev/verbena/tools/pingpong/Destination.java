package dev.verbena.tools.pingpong;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One end of a ping-pong as the two tell each other, the struct pingpong_dest of libibverbs'
 * examples. As a message it is text of four hexadecimal fields, {@code lid:qpn:psn:gid}, with a
 * closing NUL: 52 bytes, whatever the values.
 *
 * @param lid local identifier, 16 bits; 0 on Ethernet
 * @param qpn queue pair number, 24 bits
 * @param psn first packet sequence number that it sends, 24 bits
 * @param gid its GID; {@link Gid#ZERO} if it wants no global route
 */
public record Destination(int lid, int qpn, int psn, Gid gid) {
  /** Bytes of the message, the closing NUL included. */
  public static final int MESSAGE_BYTES = 52;

  private static final int GID_DIGITS = 32;

  /** The message: lower case, fields of 4, 6, 6 and 32 digits. */
  public byte[] toMessage() {
    String text = String.format(Locale.ROOT, "%04x:%06x:%06x:%s", lid, qpn, psn, gid.toWireHex());
    byte[] message = new byte[MESSAGE_BYTES];
    System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, message, 0, text.length());
    return message;
  }

  /**
   * Reads a message. The fields end at their colons and at the first NUL, so shorter numbers are as
   * good as padded ones; case does not matter.
   *
   * @throws IOException that quotes the message, if it is something else
   */
  public static Destination parse(byte[] message) throws IOException {
    int end = 0;
    while (end < message.length && message[end] != 0) {
      end++;
    }
    String text = new String(message, 0, end, StandardCharsets.ISO_8859_1);
    String[] parts = text.split(":", -1);
    if (parts.length != 4 || parts[3].length() != GID_DIGITS) {
      throw malformed(text);
    }
    try {
      return new Destination(
          field(parts[0], 0xffff),
          field(parts[1], 0xffffff),
          field(parts[2], 0xffffff),
          Gid.parse(parts[3]));
    } catch (NumberFormatException | VerbsException e) {
      throw malformed(text);
    }
  }

  /** The line that the tools print, with a title such as "local". */
  String line(String title) {
    return String.format(
        Locale.ROOT,
        "  %-15s LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s",
        title + " address:",
        lid,
        qpn,
        psn,
        gid);
  }

  private static int field(String digits, int most) {
    int value = Integer.parseInt(digits, 16);
    if (value < 0 || value > most) {
      throw new NumberFormatException(digits);
    }
    return value;
  }

  private static IOException malformed(String text) {
    return new IOException(
        "the peer sent '"
            + text.replaceAll("[^ -~]", "?")
            + "' where LID:QPN:PSN:GID was expected; is it the same kind of ping-pong tool?");
  }
}
