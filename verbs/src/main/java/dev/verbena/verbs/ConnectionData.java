package dev.verbena.verbs;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

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
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    out.writeInt(MAGIC);
    out.writeInt(ours.endpoint.qpNum());
    out.writeInt(ours.endpoint.psn());
    out.write(ours.endpoint.gid().toBytes());
    out.writeInt(ours.endpoint.gidIndex());
    out.writeInt(ours.endpoint.mtu().number());
    out.writeLong(ours.addr);
    out.writeLong(ours.length);
    out.writeInt(ours.rkey);
    out.flush();
    DataInputStream in = new DataInputStream(socket.getInputStream());
    int magic = in.readInt();
    if (magic != MAGIC) {
      throw new IOException(
          "peer "
              + socket.getRemoteSocketAddress()
              + " sent 0x"
              + Integer.toHexString(magic)
              + " where connection data starts with 0x"
              + Integer.toHexString(MAGIC));
    }
    int qpn = in.readInt();
    int psn = in.readInt();
    Gid gid = Gid.ofBytes(in.readNBytes(16));
    int gidIndex = in.readInt();
    Mtu mtu = Mtu.of(in.readInt());
    long addr = in.readLong();
    long length = in.readLong();
    int rkey = in.readInt();
    return new ConnectionData(new QpEndpoint(qpn, psn, gid, gidIndex, mtu), addr, length, rkey);
  }
}
