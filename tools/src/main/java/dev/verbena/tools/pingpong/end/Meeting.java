package dev.verbena.tools.pingpong.end;

import dev.verbena.tools.kit.AddressText;
import dev.verbena.tools.kit.SideChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The address exchange of two ends over TCP. Its order keeps the first message from reaching a
 * queue pair that is not ready: the client speaks first, the server connects before it answers, and
 * the client connects and sends only after that.
 */
public final class Meeting {
  private static final byte[] DONE = AddressText.message("done", 5);

  /** Connects the local queue pairs to the peer's, which come in the same order. */
  public interface Connector {
    void connect(List<Destination> remote);
  }

  private final PingpongOptions options;
  private final PrintWriter out;
  private final int addresses;

  /**
   * Prepares a meeting.
   *
   * @param addresses how many addresses each end sends, whatever the number of its queue pairs: the
   *     examples fix it for each kind of ping-pong
   */
  public Meeting(PingpongOptions options, PrintWriter out, int addresses) {
    this.options = options;
    this.out = out;
    this.addresses = addresses;
  }

  /**
   * Shows the user this end's addresses, and opens the connection to the peer: connects to it or
   * waits for it.
   */
  public SideChannel open(List<Destination> local) throws IOException {
    local.forEach(each -> out.println(each.line("local")));
    return options.peer().meet(out);
  }

  /** Meets the peer; after it returns, this end's queue pairs are connected. */
  public void hold(SideChannel channel, List<Destination> local, Connector connector)
      throws IOException {
    if (options.peer().isClient()) {
      visit(channel, local, connector);
    } else {
      serve(channel, local, connector);
    }
  }

  private void visit(SideChannel channel, List<Destination> local, Connector connector)
      throws IOException {
    tell(channel, local);
    List<Destination> remote = hear(channel, local.size());
    channel.send(DONE);
    connector.connect(remote);
  }

  private void serve(SideChannel channel, List<Destination> local, Connector connector)
      throws IOException {
    List<Destination> remote = hear(channel, local.size());
    connector.connect(remote);
    tell(channel, local);
    channel.receive(DONE.length, "\"done\"");
  }

  private void tell(SideChannel channel, List<Destination> local) throws IOException {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    for (int i = 0; i < addresses; i++) {
      messages.writeBytes((i < local.size() ? local.get(i) : Destination.NONE).toMessage());
    }
    channel.send(messages.toByteArray());
  }

  /** Receives all addresses of the peer, of which the first ones are used. */
  private List<Destination> hear(SideChannel channel, int count) throws IOException {
    List<Destination> remote = new ArrayList<>();
    for (int i = 0; i < addresses; i++) {
      byte[] message = channel.receive(Destination.MESSAGE_BYTES, "its address");
      if (i < count) {
        remote.add(Destination.parse(message));
      }
    }
    remote.forEach(each -> out.println(each.line("remote")));
    return remote;
  }
}
