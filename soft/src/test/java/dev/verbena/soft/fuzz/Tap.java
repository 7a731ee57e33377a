package dev.verbena.soft.fuzz;

import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.wire.Address;
import dev.verbena.wire.RocePorts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A link at which somebody listens, and puts in datagrams, which arrive before those that wait. */
final class Tap extends ForwardingLink {
  /** Hears what the device sends. */
  @FunctionalInterface
  interface Ear {
    /** A datagram on its way; the memory is the sender's. */
    void hear(MemorySegment datagram, int length);
  }

  private static final int HOP_LIMIT = 64;

  /** A power of two. */
  private static final int MOST_WAITING = 64;

  private final Ear ear;
  private final Arrival[] waiting = new Arrival[MOST_WAITING];
  private int first;
  private int end;

  Tap(Link inner, Ear ear) {
    super(inner);
    this.ear = ear;
    for (int i = 0; i < MOST_WAITING; i++) {
      waiting[i] = new Arrival(Arena.ofAuto().allocate(Draft.MOST_BYTES, Long.BYTES));
    }
  }

  /** Whether one more can be put in. */
  boolean hasRoom() {
    return end - first < MOST_WAITING;
  }

  /** Puts in a datagram for the device, from any address. */
  void put(Draft draft, Address source, int trafficClass) {
    put(draft, source, address(), trafficClass);
  }

  /** Puts in a datagram for the device or a group. */
  void put(Draft draft, Address source, Address destination, int trafficClass) {
    Arrival arrival = waiting[end & (MOST_WAITING - 1)];
    end++;
    MemorySegment.copy(draft.memory(), 0, arrival.datagram, 0, draft.length());
    arrival.at(0, draft.length(), 0);
    arrival.headers(source, RocePorts.UDP_PORT, destination, HOP_LIMIT, trafficClass);
    arrival.icrc(needsIcrc());
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    boolean sent = super.send(datagram, length, route, now);
    if (sent) {
      ear.hear(datagram, (int) length);
    }
    return sent;
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    int done = 0;
    while (first != end && done < most) {
      Arrival arrival = waiting[first & (MOST_WAITING - 1)];
      first++;
      done++;
      receiver.datagram(arrival, now);
    }
    return done == most ? done : done + super.receive(receiver, most - done, now);
  }
}
