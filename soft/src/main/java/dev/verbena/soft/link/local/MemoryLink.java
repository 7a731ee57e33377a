package dev.verbena.soft.link.local;

import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.LinkState;
import dev.verbena.soft.link.Parking;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.Address;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A packet link inside the process. Sending copies a datagram into the receive queue of the link
 * with the destination address; without such a link it is lost, as on a network.
 *
 * <p>A full queue refuses: the sender tries again, and is woken once the receiver has made room.
 * This cannot deadlock, because receiving never waits for sending. Only datagrams to a multicast
 * group are lost at a member with a full queue, which counts them as overflows.
 */
public final class MemoryLink implements Link {
  /** The most datagrams that wait at a receiver. */
  static final int QUEUE_LENGTH = 1024;

  /**
   * The most datagrams in flight to one destination. Nothing is ever lost here; a part of the queue
   * keeps a busy sender from making the others wait.
   */
  private static final int MOST_IN_FLIGHT = QUEUE_LENGTH / 4;

  private final MemoryNetwork network;
  private final Address address;
  private final LinkCounters counters;
  private final Set<Address> groups = ConcurrentHashMap.newKeySet();
  private final ReceiveQueue queue = new ReceiveQueue(QUEUE_LENGTH, MAX_DATAGRAM);
  private final Parking parking = new Parking();
  private volatile Thread waiter = Thread.currentThread();
  private volatile boolean closed;

  MemoryLink(MemoryNetwork network, Address address, LinkCounters counters) {
    this.network = network;
    this.address = address;
    this.counters = counters;
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    if (length > MAX_DATAGRAM) {
      throw new IllegalArgumentException(
          "send: datagram of " + length + " bytes, this link takes " + MAX_DATAGRAM);
    }
    if (route.isMulticast()) {
      network.multicast(datagram, (int) length, this, route);
      return true;
    }
    MemoryLink destination = network.find(route.destination());
    if (destination == null) {
      counters.add(Counter.SEND_LOST, 1);
      return true;
    }
    if (!destination.queue.offer(datagram, (int) length, this, route)) {
      counters.add(Counter.SEND_BLOCKED, 1);
      return false;
    }
    destination.signal();
    return true;
  }

  /** Takes a datagram of a group, or loses it, because its sender cannot wait for every member. */
  void take(MemorySegment datagram, int length, MemoryLink sender, Route route) {
    if (queue.accept(datagram, length, sender, route)) {
      signal();
    } else {
      counters.add(Counter.SOCKET_OVERFLOWS, 1);
    }
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    int count = Math.min(queue.size(), most);
    int done = 0;
    try {
      while (done < count) {
        Arrival arrival = queue.peek(done);
        done++;
        receiver.datagram(arrival, now);
      }
    } finally {
      if (done > 0) {
        queue.release(done);
      }
    }
    return done;
  }

  @Override
  public void join(Address group) {
    groups.add(group);
  }

  @Override
  public void leave(Address group) {
    groups.remove(group);
  }

  boolean isIn(Address group) {
    return groups.contains(group);
  }

  @Override
  public int maxDatagram() {
    return MAX_DATAGRAM;
  }

  @Override
  public int mostInFlight(int payload) {
    return MOST_IN_FLIGHT;
  }

  @Override
  public void await(long nanos) {
    if (nanos <= 0) {
      return;
    }
    waiter = Thread.currentThread();
    if (parking.park()) {
      // A sender that saw no parked thread has already queued its datagram: check again.
      if (queue.size() == 0) {
        LockSupport.parkNanos(this, nanos);
      }
      parking.unpark();
    }
  }

  @Override
  public void wake() {
    if (parking.wake()) {
      LockSupport.unpark(waiter);
    }
  }

  /** Ends a current await; does not affect the next one, which checks the queue itself. */
  private void signal() {
    if (parking.wakeIfParked()) {
      LockSupport.unpark(waiter);
    }
  }

  @Override
  public Address address() {
    return address;
  }

  @Override
  public LinkState state() {
    return closed ? LinkState.GONE : LinkState.UP;
  }

  @Override
  public void close() {
    closed = true;
    network.detach(this);
    queue.close();
  }
}
