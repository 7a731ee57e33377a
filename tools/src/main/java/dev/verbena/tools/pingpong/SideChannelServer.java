package dev.verbena.tools.pingpong;

import dev.verbena.tools.ToolException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;

/** The server's TCP port, on every address of this machine, for exactly one client. */
final class SideChannelServer implements AutoCloseable {
  private static final int BACKLOG = 1;

  private final ServerSocket listener;

  private SideChannelServer(ServerSocket listener) {
    this.listener = listener;
  }

  /** Listens on a TCP port; 0 takes a free one. */
  static SideChannelServer listen(int port) throws IOException {
    ServerSocket listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(new InetSocketAddress(port), BACKLOG);
      return new SideChannelServer(listener);
    } catch (BindException e) {
      listener.close();
      throw ToolException.failure(
          "couldn't listen on TCP port %d: %s; --port takes another one"
              .formatted(port, e.getMessage()),
          e);
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  /** The TCP port. */
  int port() {
    return listener.getLocalPort();
  }

  /** Waits for the client, and closes the port behind it. */
  SideChannel accept(Duration patience) throws IOException {
    try (listener) {
      return new SideChannel(listener.accept(), patience);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
