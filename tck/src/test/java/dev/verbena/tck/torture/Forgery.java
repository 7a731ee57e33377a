package dev.verbena.tck.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * A socket whose datagrams to a device look like a peer's: they have its address and a matching
 * ICRC. IPv4 only.
 */
final class Forgery implements AutoCloseable {
  private static final int ROCE_PORT = 4791;
  private static final int ICRC = 4;
  private static final int IP = 20;
  private static final int UDP = 8;
  private static final byte ONES = (byte) 0xff;

  private final DatagramSocket socket;
  private final InetAddress from;
  private final InetAddress to;

  /**
   * Opens a socket.
   *
   * @param from the source address of the datagrams
   * @param to the device
   */
  Forgery(InetAddress from, InetAddress to) {
    if (!(from instanceof Inet4Address && to instanceof Inet4Address)) {
      throw new IllegalArgumentException("attacks are for IPv4, not from " + from + " to " + to);
    }
    this.from = from;
    this.to = to;
    try {
      socket = new DatagramSocket(0, from);
    } catch (IOException e) {
      throw new UncheckedIOException("no socket in the name of " + from, e);
    }
  }

  /** Sends bytes as they are. */
  void send(byte[] packet) {
    try {
      socket.send(new DatagramPacket(packet, packet.length, to, ROCE_PORT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a packet whose last four bytes become its ICRC. */
  void sendSealed(byte[] packet) {
    byte[] sealed = packet.clone();
    ByteBuffer.wrap(sealed)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(sealed.length - ICRC, icrc(sealed));
    send(sealed);
  }

  /** The ICRC of this packet from this socket, with IP ID 0 and don't-fragment (S12.4.1). */
  private int icrc(byte[] packet) {
    int udpLength = UDP + packet.length;
    ByteBuffer headers = ByteBuffer.allocate(8 + IP + UDP);
    headers.putLong(-1);
    headers.put((byte) 0x45).put(ONES).putShort((short) (IP + udpLength)).putInt(0x4000);
    headers.put(ONES).put((byte) 17).putShort((short) -1);
    headers.put(from.getAddress()).put(to.getAddress());
    headers.putShort((short) socket.getLocalPort()).putShort((short) ROCE_PORT);
    headers.putShort((short) udpLength).putShort((short) -1);
    byte[] masked = Arrays.copyOf(packet, packet.length - ICRC);
    masked[4] = ONES;
    CRC32 crc = new CRC32();
    crc.update(headers.array());
    crc.update(masked);
    return (int) crc.getValue();
  }

  @Override
  public void close() {
    socket.close();
  }
}
