package dev.verbena.tools.pingpong.end;

import dev.verbena.tools.kit.AddressText;
import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.util.Locale;

/**
 * The address of a ping-pong end that the two exchange, the struct pingpong_dest of libibverbs'
 * examples. As a message it is text of four hexadecimal fields, {@code lid:qpn:psn:gid}, with a
 * closing NUL: 52 bytes, whatever the values.
 *
 * @param lid local identifier, 16 bits; 0 on Ethernet
 * @param qpn queue pair number, 24 bits
 * @param psn first packet sequence number that it sends, 24 bits
 * @param gid its GID; {@link Gid#ZERO} for no global route
 */
public record Destination(int lid, int qpn, int psn, Gid gid) {
  /** Length of the message in bytes, including the closing NUL. */
  public static final int MESSAGE_BYTES = 52;

  /** An address without a queue pair. */
  static final Destination NONE = new Destination(0, 0, 0, Gid.ZERO);

  /** The message: lower case, fields of 4, 6, 6 and 32 digits. */
  public byte[] toMessage() {
    return AddressText.message(
        String.format(Locale.ROOT, "%04x:%06x:%06x:%s", lid, qpn, psn, gid.toWireHex()),
        MESSAGE_BYTES);
  }

  /**
   * Reads a message.
   *
   * @throws IOException if it is anything else, quoting the message
   */
  public static Destination parse(byte[] message) throws IOException {
    AddressText text = AddressText.split(message, "LID:QPN:PSN:GID");
    return new Destination(
        text.number(0, 0xffff),
        text.number(1, AddressText.BITS_24),
        text.number(2, AddressText.BITS_24),
        text.gid());
  }

  /** The line that the tools print, with a title such as "local". */
  public String line(String title) {
    return String.format(
        Locale.ROOT,
        "  %-15s LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s",
        title + " address:",
        lid,
        qpn,
        psn,
        gid);
  }
}
