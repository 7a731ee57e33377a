package dev.verbena.tools.kit;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;

/**
 * The TCP connection over which two tools exchange addresses, byte for byte as libibverbs' examples
 * do. The examples take whatever one read returns as the whole message, so each message is sent
 * with a single write, on a socket without Nagle's delay.
 */
public final class SideChannel implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SideChannel.class.getName());

  private final Socket socket;

  /** A channel over an open connection; a read waits at most this long, for ever if it is zero. */
  public SideChannel(Socket socket, Duration patience) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
  }

  /** Connects to the first address of {@code host} that answers. */
  public static SideChannel connect(String host, int port, Duration patience) throws IOException {
    IOException last = null;
    for (InetAddress address : addresses(host)) {
      Socket socket = new Socket();
      try {
        socket.connect(new InetSocketAddress(address, port), Math.toIntExact(patience.toMillis()));
        return new SideChannel(socket, patience);
      } catch (IOException e) {
        socket.close();
        last = e;
      }
    }
    throw ToolException.failure(
        "couldn't connect to %s:%d: %s; is the server running there?"
            .formatted(host, port, last == null ? "no address" : last.getMessage()));
  }

  /** From now on, waits for messages as long as the peer lives. */
  public void beVeryPatient() throws IOException {
    socket.setSoTimeout(0);
  }

  /** Sends a message. */
  public void send(byte[] message) throws IOException {
    socket.getOutputStream().write(message);
  }

  /**
   * Waits for a message of {@code length} bytes.
   *
   * @param what description of the message, for the user
   */
  public byte[] receive(int length, String what) throws IOException {
    byte[] message;
    try {
      message = socket.getInputStream().readNBytes(length);
    } catch (SocketTimeoutException e) {
      throw ToolException.failure(
          "%s did not send %s within %d ms"
              .formatted(socket.getRemoteSocketAddress(), what, socket.getSoTimeout()),
          e);
    }
    if (message.length != length) {
      throw new IOException(
          "%s closed the connection after %d of the %d bytes of %s"
              .formatted(socket.getRemoteSocketAddress(), message.length, length, what));
    }
    return message;
  }

  /**
   * Tells the peer that this end has everything, and waits until the peer says so too, or has left.
   * Until then this end must keep answering, because the peer may lack the acknowledgement of its
   * last message. The C programs close this connection as soon as they have exchanged addresses, so
   * there is no wait for them; and no wait exceeds the patience of this channel.
   */
  public void part() throws IOException {
    try {
      socket.shutdownOutput();
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (SocketException | SocketTimeoutException e) {
      LOG.log(Level.DEBUG, "the peer did not say that it has everything", e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static InetAddress[] addresses(String host) {
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw ToolException.failure("'" + host + "' is not a known host", e);
    }
  }
}
