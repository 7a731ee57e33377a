package dev.verbena.soft.link.wrap;

import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.SendBatch;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/** Refuses every third datagram, and every third batch as a whole. */
final class RefusingLink extends ForwardingLink {
  private final AtomicLong calls;

  RefusingLink(Link inner, AtomicLong calls) {
    super(inner);
    this.calls = calls;
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    return calls.incrementAndGet() % 3 != 0 && super.send(datagram, length, route, now);
  }

  @Override
  public boolean send(SendBatch batch, long now) {
    return calls.incrementAndGet() % 3 != 0 && inner.send(batch, now);
  }

  @Override
  public int mostSegments() {
    return inner.mostSegments();
  }
}
