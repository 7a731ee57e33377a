package dev.verbena.soft.link;

import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A link that sends runs as a socket does: its datagrams get IP IDs that count up from 0 (GSO), and
 * those that arrive one behind the other with rising IDs are passed on as a run (GRO). The ID
 * travels in a byte behind the datagram, through any links between two of these.
 */
public final class RunsLink extends ForwardingLink {
  private final int mostSegments;
  private final MemorySegment wire = Arena.ofAuto().allocate(MAX_DATAGRAM);
  private final Coalescing coalescing = new Coalescing();

  /**
   * @param inner what carries the datagrams, with room for one byte more than they have
   * @param mostSegments datagrams of a run
   */
  public RunsLink(Link inner, int mostSegments) {
    super(inner);
    this.mostSegments = mostSegments;
  }

  @Override
  public int mostSegments() {
    return mostSegments;
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    return send(datagram, length, route, 0, now);
  }

  private boolean send(MemorySegment datagram, long length, Route route, int id, long now) {
    MemorySegment.copy(datagram, 0, wire, 0, length);
    wire.set(ValueLayout.JAVA_BYTE, length, (byte) id);
    return inner.send(wire, length + 1, route, now);
  }

  @Override
  public boolean send(SendBatch batch, long now) {
    while (!batch.isEmpty()) {
      int run = batch.firstRun();
      for (int i = 0; i < run; i++) {
        boolean taken = send(batch.datagrams[i], batch.lengths[i], batch.routes[i], i, now);
        // A run is taken as a whole; what does not fit into the buffer is lost.
        if (i == 0 && !taken) {
          return false;
        }
      }
      batch.remove(run);
    }
    return true;
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    coalescing.receiver = receiver;
    return super.receive(coalescing, most, now);
  }

  private static final class Coalescing implements Receiver {
    private Receiver receiver = (arrival, now) -> {};
    private Address source = Address.UNSPECIFIED;
    private int id;
    private int place;

    @Override
    public void datagram(Arrival arrival, long now) {
      long length = arrival.length - 1;
      int next = arrival.datagram.get(ValueLayout.JAVA_BYTE, arrival.offset + length) & 0xFF;
      boolean follows = next == id + 1 && arrival.source.equals(source);
      place = follows ? place + 1 : 0;
      id = next;
      source = arrival.source;
      arrival.at(arrival.offset, length, place);
      receiver.datagram(arrival, now);
    }
  }
}
