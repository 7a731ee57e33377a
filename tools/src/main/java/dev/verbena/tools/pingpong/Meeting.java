package dev.verbena.tools.pingpong;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The introduction of two ends over TCP, in the order that keeps the first message from reaching a
 * queue pair that is not ready: the client speaks first, the server is connected before it answers,
 * and the client connects and sends only after that.
 */
final class Meeting {
  private static final byte[] DONE = AddressText.message("done", 5);

  /** Connects the local queue pairs to the peer's, which come in the same order. */
  interface Connector {
    void connect(List<Destination> remote);
  }

  private final PingpongOptions options;
  private final PrintWriter out;
  private final int addresses;

  /**
   * A meeting to come.
   *
   * @param addresses how many each end tells, whatever the number of its queue pairs: the examples
   *     fix it for each kind of ping-pong
   */
  Meeting(PingpongOptions options, PrintWriter out, int addresses) {
    this.options = options;
    this.out = out;
    this.addresses = addresses;
  }

  /** Meets the peer; when it returns, this end's queue pairs are connected. */
  void hold(List<Destination> local, Connector connector) throws IOException {
    local.forEach(each -> out.println(each.line("local")));
    @Nullable String host = options.host();
    List<Destination> remote = host == null ? serve(local, connector) : visit(host, local);
    remote.forEach(each -> out.println(each.line("remote")));
    if (host != null) {
      connector.connect(remote);
    }
  }

  private List<Destination> visit(String host, List<Destination> local) throws IOException {
    try (SideChannel channel = SideChannel.connect(host, options.port(), options.patience())) {
      tell(channel, local);
      List<Destination> remote = hear(channel, local.size());
      channel.send(DONE);
      return remote;
    }
  }

  private List<Destination> serve(List<Destination> local, Connector connector) throws IOException {
    try (SideChannelServer server = SideChannelServer.listen(options.port(), 1, out);
        SideChannel channel = server.acceptOnly(options.patience())) {
      List<Destination> remote = hear(channel, local.size());
      connector.connect(remote);
      tell(channel, local);
      channel.receive(DONE.length, "\"done\"");
      return remote;
    }
  }

  private void tell(SideChannel channel, List<Destination> local) throws IOException {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    for (int i = 0; i < addresses; i++) {
      messages.writeBytes((i < local.size() ? local.get(i) : Destination.NONE).toMessage());
    }
    channel.send(messages.toByteArray());
  }

  /** All addresses of the peer, of which the first ones count. */
  private List<Destination> hear(SideChannel channel, int count) throws IOException {
    List<Destination> remote = new ArrayList<>();
    for (int i = 0; i < addresses; i++) {
      byte[] message = channel.receive(Destination.MESSAGE_BYTES, "its address");
      if (i < count) {
        remote.add(Destination.parse(message));
      }
    }
    return remote;
  }
}
