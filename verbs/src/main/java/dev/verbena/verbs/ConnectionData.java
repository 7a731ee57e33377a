package dev.verbena.verbs;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * What one side of a connection tells the other: its endpoint and, for one-sided operations, a
 * piece of its memory. {@link #exchange} swaps it over a TCP socket.
 *
 * @param endpoint the queue pair
 * @param addr address of the offered memory; 0 without
 * @param length bytes of the offered memory; 0 without
 * @param rkey its key; 0 without
 */
public record ConnectionData(QpEndpoint endpoint, long addr, long length, int rkey) {
  private static final int MAGIC = 0x56424e31; // "VBN1"
  private static final int BYTES = 56;

  /** Without memory. */
  public static ConnectionData of(QueuePair qp) {
    return new ConnectionData(qp.endpoint(), 0, 0, 0);
  }

  /** With a whole region. */
  public static ConnectionData of(QueuePair qp, MemoryRegion region) {
    return new ConnectionData(qp.endpoint(), region.addr(), region.length(), region.rkey());
  }

  /**
   * Sends ours and waits for theirs; both sides call it, in any order. The socket's own timeout
   * applies and the socket stays open. The format, 56 bytes each way, big-endian, is private to
   * this method: magic "VBN1", qpn, psn, gid (16), gid index, mtu, addr (8), length (8), rkey.
   *
   * @throws IOException if the connection breaks or the peer speaks something else
   */
  public static ConnectionData exchange(Socket socket, ConnectionData ours) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.putInt(MAGIC).putInt(ours.endpoint.qpNum()).putInt(ours.endpoint.psn());
    out.put(ours.endpoint.gid().toBytes());
    out.putInt(ours.endpoint.gidIndex()).putInt(ours.endpoint.mtu().number());
    out.putLong(ours.addr).putLong(ours.length).putInt(ours.rkey);
    socket.getOutputStream().write(out.array());
    socket.getOutputStream().flush();

    // The magic alone first: a peer that speaks something else may send less than we wait for.
    byte[] received = new byte[BYTES];
    ByteBuffer in = ByteBuffer.wrap(received);
    receive(socket, received, 0, Integer.BYTES);
    int magic = in.getInt();
    if (magic != MAGIC) {
      throw new IOException(
          String.format(
              "peer %s sent 0x%08x where connection data starts with 0x%08x",
              socket.getRemoteSocketAddress(), magic, MAGIC));
    }
    receive(socket, received, Integer.BYTES, BYTES);
    return parse(socket, in);
  }

  private static void receive(Socket socket, byte[] into, int from, int until) throws IOException {
    int end = from + socket.getInputStream().readNBytes(into, from, until - from);
    if (end < until) {
      throw new EOFException(
          String.format(
              "peer %s closed the connection after %d of %d bytes of connection data",
              socket.getRemoteSocketAddress(), end, BYTES));
    }
  }

  private static ConnectionData parse(Socket socket, ByteBuffer in) throws IOException {
    int qpn = in.getInt();
    int psn = in.getInt();
    byte[] gid = new byte[16];
    in.get(gid);
    int gidIndex = in.getInt();
    int mtu = in.getInt();
    if (qpn >>> 24 != 0 || psn >>> 24 != 0 || mtu < 1 || mtu > Mtu.MTU_4096.number()) {
      throw new IOException(
          String.format(
              "peer %s sent QPN 0x%x, PSN 0x%x, MTU number %d: not 24 bits, 24 bits, 1 to 5",
              socket.getRemoteSocketAddress(), qpn, psn, mtu));
    }
    return new ConnectionData(
        new QpEndpoint(qpn, psn, Gid.ofBytes(gid), gidIndex, Mtu.of(mtu)),
        in.getLong(),
        in.getLong(),
        in.getInt());
  }
}
