package dev.verbena.soft.link;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * UDP on Linux by system calls: one datagram a call, nothing allocated a packet. What the kernel
 * tells about a packet beyond its payload comes in control messages.
 */
public final class FfmUdpLink extends UdpLink {

  /** No descriptor: what it is passed to fails and does nothing. */
  private static final int NO_SOCKET = -1;

  private final LinuxSocket socket;
  private final LinuxPoll poll;

  // Freed by the collector: a late call on a closed link must not end its thread.
  private final Arena arena = Arena.ofAuto();

  private final SendMessage sent;
  private final MemorySegment sendError = UdpNative.errorBuffer(arena);
  private final MemorySegment copy;
  private final OncePerErrno sendFailures;

  private final ReceiveMessage received;
  private final OncePerErrno receiveFailures;

  // As receive: by one thread at a time.
  private final ReadersInTurn<SocketReader> readers;

  private volatile boolean closed;

  private FfmUdpLink(LocalAddress local, LinuxSocket socket, LinkCounters counters) {
    super(
        local, counters, new InFlightWindow(socket.defaultReceiveBuffer(), socket.receiveBuffer()));
    this.socket = socket;
    this.poll = new LinuxPoll(arena, socket.fd(), local.text());
    this.sent = new SendMessage(arena, local);
    this.copy = arena.allocate(MemoryLink.MAX_DATAGRAM);
    this.sendFailures = new OncePerErrno("send from " + local.text());
    this.received = new ReceiveMessage(arena, local);
    this.receiveFailures = new OncePerErrno("receive at " + local.text());
    this.readers =
        new ReadersInTurn<>(new SocketReader(arena, socket, received, counters, receiveFailures));
    linkCalls();
  }

  /** The JVM prepares a native call when it is first made, which takes milliseconds: not later. */
  private void linkCalls() {
    UdpNative.sendmsg(sendError, NO_SOCKET, sent.header(), UdpNative.MSG_DONTWAIT, copy);
    UdpNative.recvmsg(sendError, NO_SOCKET, received.header(), UdpNative.MSG_DONTWAIT);
  }

  /**
   * Binds port 4791 of an address.
   *
   * @throws VerbsException EADDRINUSE if the port is taken, EADDRNOTAVAIL if this computer does not
   *     have the address, EACCES if it may not be bound
   */
  public static FfmUdpLink open(Address address, LinkCounters counters) {
    LocalAddress local = LocalAddress.of(address);
    LinuxSocket socket = LinuxSocket.open(local);
    try {
      return new FfmUdpLink(local, socket, counters);
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    if (closed) {
      return true;
    }
    if (route.destination().isIpv4() != local().isIpv4()) {
      sendFailures.failed(Errno.EAFNOSUPPORT);
      return true;
    }
    MemorySegment payload = datagram.isNative() ? datagram : copied(datagram, length);
    sent.describe(payload, length, route);
    long result =
        UdpNative.sendmsg(sendError, socket.fd(), sent.header(), UdpNative.MSG_DONTWAIT, payload);
    if (result >= 0) {
      return true;
    }
    if (result == -Errno.EAGAIN) {
      counters().add(Counter.SEND_BLOCKED, 1);
      poll.watchForRoom();
      return false;
    }
    sendFailures.failed((int) -result);
    return true;
  }

  private MemorySegment copied(MemorySegment datagram, long length) {
    MemorySegment.copy(datagram, 0, copy, 0, length);
    return copy;
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    if (closed) {
      return 0;
    }
    return readers.read(receiver, most, now);
  }

  @Override
  public void join(Address group) {
    local().requireGroupOfSameVersion(group);
    // A socket bound to the group's address: one bound to the device's gets no multicast on Linux.
    LinuxSocket member = LinuxSocket.openGroup(local(), group);
    readers.add(group, new SocketReader(arena, member, received, counters(), receiveFailures));
    watchGroups();
  }

  @Override
  public void leave(Address group) {
    SocketReader left = readers.remove(group);
    if (left != null) {
      watchGroups();
      left.close();
    }
  }

  private void watchGroups() {
    poll.watch(readers.ofGroups().stream().mapToInt(SocketReader::fd).toArray());
  }

  @Override
  public void await(long nanos) {
    poll.await(nanos);
  }

  @Override
  public void wake() {
    poll.wake();
  }

  @Override
  public LinkState state() {
    return closed ? LinkState.GONE : socket.state();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      poll.close();
      readers.close();
    }
  }
}
