package dev.verbena.tools.perf;

import dev.verbena.tools.kit.AddressText;
import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * The data of a queue pair and its memory that two ends exchange. As a message it is text of
 * hexadecimal fields, each followed by a colon, with the GID byte by byte, and a closing NUL: 108
 * bytes, whatever the values.
 *
 * @param lid local identifier, 16 bits; 0 on Ethernet
 * @param outReads READs and atomics that it accepts at a time, 16 bits
 * @param qpn queue pair number, 24 bits
 * @param psn first packet sequence number that it sends, 24 bits
 * @param rkey key of its memory
 * @param vaddr where the peer may write, read and do atomics
 * @param gid its GID
 */
record PerfKey(int lid, int outReads, int qpn, int psn, int rkey, long vaddr, Gid gid) {
  /** Length of the message in bytes, including the closing NUL. */
  static final int MESSAGE_BYTES = 108;

  private static final String FORMAT =
      "LID:OUT:QPN:PSN:RKEY:VADDR:G:I:D:_:I:N:_:1:6:_:F:I:E:L:D:S:SRQN:END";
  private static final int GID_FIELD = 6;
  private static final int GID_BYTES = 16;

  /** The message. */
  byte[] toMessage() {
    return AddressText.message(
        String.format(
            Locale.ROOT,
            "%04x:%04x:%06x:%06x:%08x:%016x:%s:00000000:",
            lid,
            outReads,
            qpn,
            psn,
            rkey,
            vaddr,
            HexFormat.ofDelimiter(":").formatHex(gid.toBytes())),
        MESSAGE_BYTES);
  }

  /**
   * Reads a message.
   *
   * @throws IOException if it is anything else, quoting the message
   */
  static PerfKey parse(byte[] message) throws IOException {
    AddressText text = AddressText.split(message, FORMAT);
    return new PerfKey(
        text.number(0, 0xffff),
        text.number(1, 0xffff),
        text.number(2, AddressText.BITS_24),
        text.number(3, AddressText.BITS_24),
        (int) text.number(4),
        text.number(5),
        text.gid(GID_FIELD, GID_BYTES));
  }

  /** The lines that the tools print, titled "local" or "remote". */
  String lines(String title, Verb verb) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT, " %s address: LID %04x QPN %#06x PSN %#x", title, lid, qpn, psn));
    if (verb == Verb.READ) {
      text.append(String.format(Locale.ROOT, " OUT %#04x", outReads));
    }
    if (verb == Verb.READ || verb == Verb.WRITE) {
      text.append(String.format(Locale.ROOT, " RKey %#08x VAddr %#016x", rkey, vaddr));
    }
    StringJoiner bytes = new StringJoiner(":");
    for (byte each : gid.toBytes()) {
      bytes.add(String.format(Locale.ROOT, "%02d", each & 0xff));
    }
    return text.append(System.lineSeparator()).append(" GID: ").append(bytes).toString();
  }
}
