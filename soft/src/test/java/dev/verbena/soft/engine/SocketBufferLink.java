package dev.verbena.soft.engine;

import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Receiver;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A receive buffer of so many packets, which drops what finds no room, and from which one is taken
 * after the other.
 */
final class SocketBufferLink extends ForwardingLink {
  private final int room;
  private final long nanosPerPacket;
  private final boolean tells;
  private final Deque<Arrival> waiting = new ArrayDeque<>();
  private long free;
  private long overflows;
  private boolean overflowed;

  /**
   * @param nanosPerPacket how slow the receiver is
   * @param tells whether it tells that packets were lost
   */
  SocketBufferLink(Link inner, int room, long nanosPerPacket, boolean tells) {
    super(inner);
    this.room = room;
    this.nanosPerPacket = nanosPerPacket;
    this.tells = tells;
  }

  /** Packets that found no room. */
  long overflows() {
    return overflows;
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    while (super.receive((arrival, at) -> take(arrival, now), most, now) > 0) {
      // All that has arrived is in the buffer, or lost.
    }
    if (overflowed && tells) {
      receiver.overflowed(now);
    }
    overflowed = false;
    int count = 0;
    while (count < most && deadline() <= now) {
      free = Math.max(free, now) + nanosPerPacket;
      receiver.datagram(waiting.remove(), now);
      count++;
    }
    return count;
  }

  private void take(Arrival arrival, long now) {
    if (waiting.size() == room) {
      overflows++;
      overflowed = true;
      return;
    }
    if (waiting.isEmpty()) {
      free = Math.max(free, now + nanosPerPacket);
    }
    byte[] bytes =
        arrival.datagram.asSlice(arrival.offset, arrival.length).toArray(ValueLayout.JAVA_BYTE);
    Arrival copy = new Arrival(MemorySegment.ofArray(bytes));
    copy.at(0, bytes.length, 0);
    copy.headers(
        arrival.source,
        arrival.srcPort,
        arrival.destination,
        arrival.hopLimit,
        arrival.trafficClass);
    waiting.add(copy);
  }

  @Override
  public boolean holds() {
    return true;
  }

  @Override
  public long deadline() {
    return waiting.isEmpty() ? super.deadline() : Math.min(super.deadline(), free);
  }
}
