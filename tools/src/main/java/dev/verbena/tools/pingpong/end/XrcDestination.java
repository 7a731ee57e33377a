package dev.verbena.tools.pingpong.end;

import dev.verbena.tools.kit.AddressText;
import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.util.Locale;

/**
 * The address of an XRC ping-pong end that the two exchange. As a message it is text of six fields,
 * {@code lid:recv_qpn:send_qpn:psn:srqn:gid}, with a closing NUL: 66 bytes, whatever the values.
 *
 * @param lid local identifier, 16 bits; 0 on Ethernet
 * @param recvQpn number of its XRC_RECV queue pair, 24 bits
 * @param sendQpn number of its XRC_SEND queue pair, 24 bits
 * @param psn first packet sequence number of both, 24 bits
 * @param srqn number of its shared receive queue, 24 bits
 * @param gid its GID
 */
public record XrcDestination(int lid, int recvQpn, int sendQpn, int psn, int srqn, Gid gid) {
  /** Length of the message in bytes, including the closing NUL. */
  public static final int MESSAGE_BYTES = 66;

  /** The message. */
  public byte[] toMessage() {
    return AddressText.message(
        String.format(
            Locale.ROOT,
            "%04x:%06x:%06x:%06x:%06x:%s",
            lid,
            recvQpn,
            sendQpn,
            psn,
            srqn,
            gid.toWireHex()),
        MESSAGE_BYTES);
  }

  /**
   * Reads a message.
   *
   * @throws IOException if it is anything else, quoting the message
   */
  public static XrcDestination parse(byte[] message) throws IOException {
    AddressText text = AddressText.split(message, "LID:RECV_QPN:SEND_QPN:PSN:SRQN:GID");
    return new XrcDestination(
        text.number(0, 0xffff),
        text.number(1, AddressText.BITS_24),
        text.number(2, AddressText.BITS_24),
        text.number(3, AddressText.BITS_24),
        text.number(4, AddressText.BITS_24),
        text.gid());
  }

  /** The line that the tools print, titled "local" or "remote". */
  public String line(String title) {
    return String.format(
        Locale.ROOT,
        "%8s: LID %04x, QPN RECV %06x SEND %06x, PSN %06x, SRQN %06x, GID %s",
        title,
        lid,
        recvQpn,
        sendQpn,
        psn,
        srqn,
        gid);
  }
}
