package dev.verbena.verbs;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What one side of a connection sends to the other: its endpoint and, for one-sided operations, a
 * piece of its memory. {@link #exchange} swaps it over a TCP socket.
 *
 * @param endpoint the queue pair
 * @param addr address of the offered memory; 0 if none
 * @param length length of the offered memory in bytes; 0 if none
 * @param rkey key of the offered memory; 0 if none
 */
public record ConnectionData(QpEndpoint endpoint, long addr, long length, int rkey) {
  /** The length of {@link #toBytes()}. */
  public static final int BYTES = 60;

  private static final int MAGIC = 0x56424e32; // "VBN2"
  private static final int QPN_AT = 4;
  private static final int PSN_AT = 8;
  private static final int MTU_AT = 32;
  private static final int LID_AT = 36;
  private static final int MAX_LID = 0xffff;

  /** The data of a queue pair that offers no memory. */
  public static ConnectionData of(QueuePair qp) {
    return new ConnectionData(qp.endpoint(), 0, 0, 0);
  }

  /** The data of a queue pair that offers a whole region. */
  public static ConnectionData of(QueuePair qp, MemoryRegion region) {
    return new ConnectionData(qp.endpoint(), region.addr(), region.length(), region.rkey());
  }

  /**
   * Sends our data and waits for the peer's; both sides call it, in any order. The socket's own
   * timeout applies, and the socket stays open. Each side sends {@link #toBytes()}.
   *
   * <p>When this returns, the peer is not yet connected, and may have posted no receive: what
   * reaches it earlier is dropped or refused, and sent again only after a time-out of 67 ms or so.
   * So let each side tell the other, over the same socket, when it is ready. The package {@code
   * dev.verbena.verbs.connect} does all of this.
   *
   * @throws IOException if the connection breaks or the peer uses another protocol
   */
  public static ConnectionData exchange(Socket socket, ConnectionData ours) throws IOException {
    socket.getOutputStream().write(ours.toBytes());
    socket.getOutputStream().flush();

    // Read the magic alone first: a peer with another protocol may send less than we wait for.
    byte[] received = new byte[BYTES];
    receive(socket, received, 0, Integer.BYTES);
    String mistake = startMistake(received);
    if (mistake == null) {
      receive(socket, received, Integer.BYTES, BYTES);
      mistake = rangeMistake(received);
    }
    if (mistake != null) {
      throw new IOException("peer " + socket.getRemoteSocketAddress() + " sent " + mistake);
    }
    return read(received);
  }

  /**
   * The data as 60 big-endian bytes, for other side channels: magic "VBN2" (4 bytes), qpn (4), psn
   * (4), gid (16), gid index (4), mtu (4, number of the enum), lid (4), addr (8), length (8), rkey
   * (4). The format is stable: a new format will have a new magic.
   */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .putInt(MAGIC)
        .putInt(endpoint.qpNum())
        .putInt(endpoint.psn())
        .put(endpoint.gid().toBytes())
        .putInt(endpoint.gidIndex())
        .putInt(endpoint.mtu().number())
        .putInt(endpoint.lid())
        .putLong(addr)
        .putLong(length)
        .putInt(rkey)
        .array();
  }

  /**
   * Reads what {@link #toBytes()} wrote.
   *
   * @throws VerbsException EINVAL if there are not 60 bytes, the magic is wrong, or a number is out
   *     of range
   */
  public static ConnectionData ofBytes(byte[] bytes) {
    String mistake =
        bytes.length == BYTES ? startMistake(bytes) : bytes.length + " bytes, not " + BYTES;
    if (mistake == null) {
      mistake = rangeMistake(bytes);
    }
    if (mistake != null) {
      throw new VerbsException("connectionData", Errno.EINVAL, mistake);
    }
    return read(bytes);
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

  private static @Nullable String startMistake(byte[] bytes) {
    int magic = ByteBuffer.wrap(bytes).getInt();
    return magic == MAGIC
        ? null
        : String.format("0x%08x where connection data starts with 0x%08x", magic, MAGIC);
  }

  private static @Nullable String rangeMistake(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int qpn = in.getInt(QPN_AT);
    int psn = in.getInt(PSN_AT);
    int mtu = in.getInt(MTU_AT);
    int lid = in.getInt(LID_AT);
    boolean inRange =
        qpn >>> 24 == 0
            && psn >>> 24 == 0
            && mtu >= 1
            && mtu <= Mtu.MTU_4096.number()
            && lid >= 0
            && lid <= MAX_LID;
    return inRange
        ? null
        : String.format(
            "QPN 0x%x, PSN 0x%x, MTU number %d, LID 0x%x: not 24 bits, 24 bits, 1 to 5, 16 bits",
            qpn, psn, mtu, lid);
  }

  private static ConnectionData read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).position(QPN_AT);
    int qpn = in.getInt();
    int psn = in.getInt();
    byte[] gid = new byte[16];
    in.get(gid);
    int gidIndex = in.getInt();
    Mtu mtu = Mtu.of(in.getInt());
    int lid = in.getInt();
    return new ConnectionData(
        new QpEndpoint(qpn, psn, Gid.ofBytes(gid), gidIndex, mtu, lid),
        in.getLong(),
        in.getLong(),
        in.getInt());
  }
}
