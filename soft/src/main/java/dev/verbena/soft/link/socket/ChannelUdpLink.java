package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.LinkState;
import dev.verbena.soft.link.Parking;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import dev.verbena.wire.RocePorts;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/**
 * UDP by DatagramChannel, for systems other than Linux and where native calls are denied. Its
 * limits:
 *
 * <ul>
 *   <li>received TTL and TOS are unknown (-1);
 *   <li>sent packets have the system's hop limit, whatever the route says, unless they go to a
 *       group;
 *   <li>IPv6 packets with UDP checksum 0, as other RoCE devices send them, do not arrive;
 *   <li>overflows of the socket buffer are not counted;
 *   <li>an interface that is removed looks like one that has lost its last address: the device is
 *       not found to be {@link LinkState#GONE};
 *   <li>waiting is exact to a millisecond only.
 * </ul>
 */
public final class ChannelUdpLink extends UdpLink {
  private static final System.Logger LOGGER = System.getLogger("dev.verbena.soft.link");
  private static final int LARGEST_DATAGRAM = 1 << 16;
  private static final long NANOS_A_MILLI = 1_000_000;

  private final DatagramChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final Parking parking = new Parking();

  private final ByteBuffer out = ByteBuffer.allocateDirect(MAX_DATAGRAM);
  private final MemorySegment outSegment = MemorySegment.ofBuffer(out);
  private InetSocketAddress destination;
  private Address destinationAddress;
  private int trafficClass;
  private int multicastHops = Route.MULTICAST_HOP_LIMIT;
  private boolean sendFailed;

  private final ByteBuffer in = ByteBuffer.allocateDirect(LARGEST_DATAGRAM);
  private final Arrival arrival = new Arrival(MemorySegment.ofBuffer(in));
  private @Nullable SocketAddress sender;
  private Address source = Address.UNSPECIFIED;
  private int srcPort;
  private boolean receiveFailed;

  // Used by one thread at a time, like receive.
  private final ReadersInTurn<ChannelReader> readers;

  private boolean awaitFailed;
  private volatile boolean blocked;
  private volatile boolean closed;

  /** Reads a channel bound to the device's address or to a group's. */
  private final class ChannelReader implements DatagramReader {
    private final DatagramChannel from;
    private final Address address;

    ChannelReader(DatagramChannel from, Address address) {
      this.from = from;
      this.address = address;
    }

    @Override
    public int read(Receiver receiver, int most, long now) {
      return receive(from, address, receiver, most, now);
    }

    @Override
    public void close() {
      ChannelUdpLink.this.close(from);
    }
  }

  private ChannelUdpLink(LocalAddress local, DatagramChannel channel, LinkCounters counters)
      throws IOException {
    super(local, counters, setUp(local, channel));
    this.channel = channel;
    this.destinationAddress = local.address();
    this.destination = socketAddress(local.address(), RocePorts.UDP_PORT);
    this.selector = Selector.open();
    this.key = channel.register(selector, SelectionKey.OP_READ);
    this.readers = new ReadersInTurn<>(new ChannelReader(channel, local.address()));
  }

  /** Binds the channel, and returns the limits for what its peers may have in flight. */
  private static InFlightWindow setUp(LocalAddress local, DatagramChannel channel)
      throws IOException {
    channel.configureBlocking(false);
    channel.bind(socketAddress(local.address(), RocePorts.UDP_PORT));
    dontFragment(channel);
    if (local.hasInterface()) {
      channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, local.networkInterface());
    }
    int normal = channel.getOption(StandardSocketOptions.SO_RCVBUF);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, InFlightWindow.RECEIVE_BUFFER);
    return new InFlightWindow(normal, channel.getOption(StandardSocketOptions.SO_RCVBUF), false);
  }

  /**
   * Binds port 4791 of an address.
   *
   * @throws VerbsException EADDRINUSE if the port is taken, EADDRNOTAVAIL if this computer does not
   *     have the address, EACCES if it may not be bound, EIO for other failures
   */
  public static ChannelUdpLink open(Address address, LinkCounters counters) {
    LocalAddress local = LocalAddress.of(address);
    try {
      DatagramChannel channel = DatagramChannel.open(family(local));
      try {
        return new ChannelUdpLink(local, channel, counters);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (BindException e) {
      boolean here = !local.interfaceName().isEmpty();
      throw BindFailure.of(here ? Errno.EADDRINUSE : Errno.EADDRNOTAVAIL, local);
    } catch (IOException e) {
      throw new VerbsException(
          BindFailure.FUNCTION, errno(e), "no UDP socket for " + local.text(), e);
    }
  }

  private static StandardProtocolFamily family(LocalAddress local) {
    return local.isIpv4() ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
  }

  /** The JDK distinguishes a refusal from other failures only by its text. */
  private static int errno(IOException e) {
    return String.valueOf(e.getMessage()).contains("ermission") ? Errno.EACCES : Errno.EIO;
  }

  /**
   * Sets an option of the JDK's own, which is found by name. Without it IPv4 packets carry IDs that
   * their ICRC cannot foresee.
   */
  @SuppressWarnings("unchecked")
  private static void dontFragment(DatagramChannel channel) throws IOException {
    for (SocketOption<?> option : channel.supportedOptions()) {
      if (option.name().equals("IP_DONTFRAGMENT") && option.type() == Boolean.class) {
        channel.setOption((SocketOption<Boolean>) option, true);
        return;
      }
    }
    LOGGER.log(
        Level.WARNING,
        "this system does not let UDP sockets forbid fragments: peers will see wrong ICRCs");
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    if (closed) {
      return true;
    }
    if (route.destination().isIpv4() != local().isIpv4()) {
      lost(new SocketException("other address family"));
      return true;
    }
    try {
      direct(route);
      MemorySegment.copy(datagram, 0, outSegment, 0, length);
      out.clear().limit((int) length);
      if (channel.send(out, destination) > 0 || length == 0) {
        return true;
      }
    } catch (IOException e) {
      lost(e);
      return true;
    }
    counters().add(Counter.SEND_BLOCKED, 1);
    if (!blocked) {
      blocked = true;
      wake();
    }
    return false;
  }

  private void lost(IOException cause) {
    counters().add(Counter.SEND_LOST, 1);
    sendFailed = logOnce(sendFailed, "send", cause);
  }

  private void direct(Route route) throws IOException {
    if (!route.destination().equals(destinationAddress)) {
      destination = socketAddress(route.destination(), RocePorts.UDP_PORT);
      destinationAddress = route.destination();
    }
    int hops = route.effectiveHopLimit();
    if (hops != multicastHops && route.isMulticast()) {
      channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, hops);
      multicastHops = hops;
    }
    int wanted = route.trafficClass() & 0xFF;
    if (wanted != trafficClass) {
      channel.setOption(StandardSocketOptions.IP_TOS, wanted);
      trafficClass = wanted;
    }
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    return readers.read(receiver, most, now);
  }

  private int receive(
      DatagramChannel from, Address address, Receiver receiver, int most, long now) {
    int count = 0;
    int errors = 0;
    while (count < most && errors < DatagramReader.ERRORS_IN_A_ROW && !closed) {
      try {
        in.clear();
        SocketAddress whose = from.receive(in);
        if (whose == null) {
          break;
        }
        identify(whose);
      } catch (ClosedChannelException e) {
        break;
      } catch (IOException e) {
        receiveFailed = logOnce(receiveFailed, "receive", e);
        errors++;
        continue;
      }
      arrival.at(0, in.position(), 0);
      arrival.headers(source, srcPort, address, -1, -1);
      receiver.datagram(arrival, now);
      count++;
      errors = 0;
    }
    return count;
  }

  @Override
  public void join(Address group) {
    local().requireGroupOfSameVersion(group);
    try {
      // Bound to the group's address, because one bound to the device's gets no multicast on Linux.
      DatagramChannel member = DatagramChannel.open(family(local()));
      try {
        member.configureBlocking(false);
        member.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        member.setOption(StandardSocketOptions.SO_RCVBUF, InFlightWindow.RECEIVE_BUFFER);
        member.bind(socketAddress(group, RocePorts.UDP_PORT));
        member.join(Gids.gid(group).toInetAddress(), local().networkInterface());
        member.register(selector, SelectionKey.OP_READ);
      } catch (IOException | RuntimeException e) {
        member.close();
        throw e;
      }
      readers.add(group, new ChannelReader(member, group));
      wake();
    } catch (IOException e) {
      throw new VerbsException(
          "attachMcast",
          errno(e),
          group + " cannot be joined on the interface of " + local().text(),
          e);
    }
  }

  @Override
  public void leave(Address group) {
    ChannelReader left = readers.remove(group);
    if (left != null) {
      left.close();
    }
  }

  /** The channel returns the same object for the same sender in a row. */
  @SuppressWarnings("ReferenceEquality")
  private void identify(SocketAddress from) {
    if (from != sender) {
      InetSocketAddress address = (InetSocketAddress) from;
      sender = from;
      source = Gids.address(Gid.of(address.getAddress()));
      srcPort = address.getPort();
    }
  }

  @Override
  public void await(long nanos) {
    if (nanos <= 0 || closed || !parking.park()) {
      return;
    }
    try {
      key.interestOps(
          blocked ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
      selector.select(this::settle, nanos / NANOS_A_MILLI + (nanos % NANOS_A_MILLI == 0 ? 0 : 1));
    } catch (IOException e) {
      awaitFailed = logOnce(awaitFailed, "wait", e);
    } finally {
      parking.unpark();
    }
  }

  private void settle(SelectionKey ready) {
    if (ready.isWritable()) {
      blocked = false;
    }
  }

  @Override
  public void wake() {
    if (parking.wake()) {
      selector.wakeup();
    }
  }

  @Override
  public LinkState state() {
    if (closed) {
      return LinkState.GONE;
    }
    try {
      NetworkInterface device =
          local().hasInterface() ? NetworkInterface.getByName(local().interfaceName()) : null;
      if (device != null && !device.isUp()) {
        return LinkState.DOWN;
      }
      return canBeBound() ? LinkState.UP : LinkState.NO_ADDRESS;
    } catch (SocketException e) {
      // The interface disappeared during the query.
      return LinkState.NO_ADDRESS;
    }
  }

  private boolean canBeBound() {
    try (DatagramSocket probe = new DatagramSocket(socketAddress(local().address(), 0))) {
      return probe.isBound();
    } catch (SocketException e) {
      return false;
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    readers.close();
    close(selector);
  }

  private void close(Closeable resource) {
    try {
      resource.close();
    } catch (IOException e) {
      throw new UncheckedIOException("close of a UDP socket of " + local().text(), e);
    }
  }

  private static InetSocketAddress socketAddress(Address address, int port) {
    return new InetSocketAddress(Gids.gid(address).toInetAddress(), port);
  }

  private boolean logOnce(boolean logged, String what, Exception e) {
    if (!logged) {
      LOGGER.log(
          Level.WARNING, what + " at " + local().text() + " failed; repeats are not reported", e);
    }
    return true;
  }
}
