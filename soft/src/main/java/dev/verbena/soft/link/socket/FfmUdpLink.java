package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.LibcNative;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.LinkState;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.SendBatch;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * UDP on Linux by system calls, without allocation for packets. If the kernel supports it, one call
 * sends a run of datagrams (GSO, by UDP_SEGMENT), and one call receives a run (GRO). The kernel's
 * other information about a packet comes in control messages.
 */
public final class FfmUdpLink extends UdpLink {

  /** Not a descriptor: a call with it fails and does nothing. */
  private static final int NO_SOCKET = -1;

  private final LinuxSocket socket;
  private final int fd;
  private final LinuxPoll poll;

  // Freed by the garbage collector, because a late call on a closed link must not end its thread.
  private final Arena arena = Arena.ofAuto();

  private final SendMessage sent;
  private final MemorySegment sendError = LibcNative.errorBuffer(arena);
  private final MemorySegment copy;
  private final OncePerErrno sendFailures;

  private final ReceiveMessage received;
  private final OncePerErrno receiveFailures;

  // Used by one thread at a time, like receive.
  private final ReadersInTurn<SocketReader> readers;

  private volatile boolean closed;

  /** Whether one call sends a run; false once a way out has refused that. Used by one sender. */
  private boolean segments;

  private FfmUdpLink(LocalAddress local, LinuxSocket socket, LinkCounters counters) {
    super(
        local,
        counters,
        new InFlightWindow(
            socket.defaultReceiveBuffer(), socket.receiveBuffer(), socket.hasSegments()));
    this.socket = socket;
    this.fd = socket.fd();
    this.poll = new LinuxPoll(arena, socket.fd(), local.text());
    this.sent = new SendMessage(arena, local);
    this.segments = socket.hasSegments();
    this.copy = arena.allocate(MAX_DATAGRAM);
    this.sendFailures = new OncePerErrno("send from " + local.text());
    this.received = new ReceiveMessage(arena, local.isIpv4());
    this.receiveFailures = new OncePerErrno("receive at " + local.text());
    this.readers =
        new ReadersInTurn<>(
            new SocketReader(arena, socket, local.address(), received, counters, receiveFailures));
    linkCalls();
  }

  /**
   * Makes each native call once, because the JVM links it on the first call, which takes
   * milliseconds.
   */
  private void linkCalls() {
    sent.send(sendError, NO_SOCKET, copy);
    received.receive(sendError, NO_SOCKET, true);
    received.receive(sendError, NO_SOCKET, false);
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
    MemorySegment payload = datagram.isNative() ? datagram : copied(datagram, length);
    if (!sent.describe(payload, length, route, segments)) {
      lost(Errno.EAFNOSUPPORT);
      return true;
    }
    long result = sent.send(sendError, fd, payload);
    if (result < 0 && result != -Errno.EAGAIN && sent.saysLength()) {
      // Not every way out can cut runs. If that is not the cause, this fails as well.
      sent.hideLength();
      result = sent.send(sendError, fd, payload);
      if (result >= 0) {
        segments = false;
      }
    }
    if (result == -Errno.EAGAIN) {
      refused();
      return false;
    }
    if (result < 0) {
      lost((int) -result);
    }
    return true;
  }

  @Override
  public boolean send(SendBatch batch, long now) {
    int singly = 0;
    int run;
    while ((run = batch.firstRun()) > 0) {
      if (run == 1 || singly > 0 || !segments || closed || !sent.describe(batch, run)) {
        if (!send(batch.datagrams[0], batch.lengths[0], batch.routes[0], now)) {
          return false;
        }
        batch.remove(1);
        singly = Math.max(0, singly - 1);
        continue;
      }
      long result = sent.send(sendError, fd, batch.memory());
      if (result == -Errno.EAGAIN) {
        refused();
        return false;
      }
      if (result < 0) {
        singly = run;
      } else {
        batch.remove(run);
      }
    }
    if (!segments) {
      batch.mostSegments(mostSegments());
    }
    return true;
  }

  @Override
  public int mostSegments() {
    return segments ? SendBatch.CAPACITY : 1;
  }

  private void lost(int errno) {
    counters().add(Counter.SEND_LOST, 1);
    sendFailures.failed(errno);
  }

  /** The socket currently takes nothing; {@link #await} waits until it does. */
  private void refused() {
    counters().add(Counter.SEND_BLOCKED, 1);
    poll.watchForRoom();
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
    // Bound to the group's address, because one bound to the device's gets no multicast on Linux.
    LinuxSocket member = LinuxSocket.openGroup(local(), group);
    readers.add(
        group, new SocketReader(arena, member, group, received, counters(), receiveFailures));
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
  public int bell() {
    return poll.bell();
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
