package dev.verbena.tools.kit;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** The server's TCP port, on every address of this computer. */
public final class SideChannelServer implements AutoCloseable {
  private final ServerSocket listener;

  private SideChannelServer(ServerSocket listener) {
    this.listener = listener;
  }

  /**
   * Listens for {@code clients} clients on a TCP port; 0 takes a free one and tells the user which.
   */
  public static SideChannelServer listen(int port, int clients, PrintWriter out)
      throws IOException {
    SideChannelServer server = listen(port, clients);
    if (port == 0) {
      out.println("  listening on TCP port " + server.port());
    }
    return server;
  }

  /** Listens for {@code clients} clients on a TCP port; 0 takes a free one. */
  public static SideChannelServer listen(int port, int clients) throws IOException {
    ServerSocket listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(new InetSocketAddress(port), clients);
      return new SideChannelServer(listener);
    } catch (BindException e) {
      listener.close();
      throw ToolException.failure(
          "couldn't listen on TCP port %d: %s; use --port for another one"
              .formatted(port, e.getMessage()),
          e);
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  /** The TCP port. */
  public int port() {
    return listener.getLocalPort();
  }

  /** From now on, waits so many seconds for a client; with 0, and before, for ever. */
  public void waitFor(int seconds) throws IOException {
    listener.setSoTimeout(Math.toIntExact(Duration.ofSeconds(seconds).toMillis()));
  }

  /** Waits for the next client. */
  public SideChannel accept(Duration patience) throws IOException {
    try {
      return new SideChannel(listener.accept(), patience);
    } catch (SocketTimeoutException e) {
      throw ToolException.failure(
          "no client came to TCP port %d within %d s; --timeout=0 waits for ever"
              .formatted(port(), listener.getSoTimeout() / 1000),
          e);
    }
  }

  /** Waits for the only client, and then closes the port. */
  public SideChannel acceptOnly(Duration patience) throws IOException {
    try (listener) {
      return accept(patience);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
