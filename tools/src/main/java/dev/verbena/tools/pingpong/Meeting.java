package dev.verbena.tools.pingpong;

import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * The introduction of two ends over TCP, in the order that keeps the first message from reaching a
 * queue pair that is not ready: the client speaks first, the server is connected before it answers,
 * and the client connects and sends only after that.
 */
final class Meeting {
  /** Connects the local queue pair to the peer's. */
  interface Connector {
    void connect(Destination remote);
  }

  private final PingpongOptions options;
  private final PrintWriter out;

  Meeting(PingpongOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
  }

  /** Meets the peer; when it returns, this end's queue pair is connected. */
  void hold(Destination local, Connector connector) throws IOException {
    out.println(local.line("local"));
    @Nullable String host = options.host();
    if (host == null) {
      serve(local, connector);
    } else {
      visit(host, local, connector);
    }
  }

  private void visit(String host, Destination local, Connector connector) throws IOException {
    Destination remote;
    try (SideChannel channel = SideChannel.connect(host, options.port(), options.patience())) {
      channel.send(local);
      remote = channel.receive();
      channel.sendDone();
    }
    out.println(remote.line("remote"));
    connector.connect(remote);
  }

  private void serve(Destination local, Connector connector) throws IOException {
    try (SideChannelServer server = SideChannelServer.listen(options.port())) {
      if (options.port() == 0) {
        out.println("  listening on TCP port " + server.port());
      }
      try (SideChannel channel = server.accept(options.patience())) {
        Destination remote = channel.receive();
        connector.connect(remote);
        channel.send(local);
        channel.receiveDone();
        out.println(remote.line("remote"));
      }
    }
  }
}
