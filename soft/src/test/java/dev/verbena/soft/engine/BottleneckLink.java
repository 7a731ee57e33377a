package dev.verbena.soft.engine;

import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * A link that sends through a bottleneck: one packet at a time, a fixed time for each byte, from a
 * queue of limited size. A packet is dropped if the queue has no room; some are lost after it.
 */
final class BottleneckLink extends ForwardingLink {
  /**
   * @param nanosPerByte time for each byte in the bottleneck
   * @param delay from its end to the receiver, nanoseconds
   * @param room the most bytes that wait
   * @param loss fraction of the packets that are lost after it
   * @param inFlight packets that may be in flight to one destination
   */
  record Network(double nanosPerByte, long delay, int room, double loss, int inFlight) {}

  private record Packet(MemorySegment bytes, Route route, long due) {}

  private final Network network;
  private final SplittableRandom dice;
  private final Deque<Packet> underway = new ArrayDeque<>();
  private double free;
  private int dropped;

  BottleneckLink(Link inner, Network network, long seed) {
    super(inner);
    this.network = network;
    dice = new SplittableRandom(seed);
  }

  /** Packets dropped for lack of room. */
  int dropped() {
    return dropped;
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    double begins = Math.max(free, (double) now);
    if ((begins - now) / network.nanosPerByte() + length > network.room()) {
      dropped++;
      return true;
    }
    free = begins + length * network.nanosPerByte();
    if (dice.nextDouble() >= network.loss()) {
      byte[] copy = datagram.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
      underway.add(new Packet(MemorySegment.ofArray(copy), route, (long) free + network.delay()));
    }
    return true;
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    while (!underway.isEmpty() && underway.element().due() <= now) {
      Packet packet = underway.remove();
      if (!inner.send(packet.bytes(), packet.bytes().byteSize(), packet.route(), now)) {
        throw new AssertionError("the receiver is behind");
      }
    }
    return super.receive(receiver, most, now);
  }

  @Override
  public boolean holds() {
    return true;
  }

  @Override
  public long deadline() {
    return underway.isEmpty() ? Long.MAX_VALUE : underway.element().due();
  }

  @Override
  public int mostInFlight(int payload) {
    return network.inFlight();
  }
}
