package dev.verbena.soft.link.wrap;

import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Receiver;

/** A link that looks at each received datagram of the inner link before it passes it on. */
abstract class WatchingLink extends ForwardingLink {
  private final Receiver tap = new Tap();
  private Receiver target = tap;

  WatchingLink(Link inner) {
    super(inner);
  }

  /** A datagram has arrived. */
  abstract void arrived(Arrival arrival);

  @Override
  public final int receive(Receiver receiver, int most, long now) {
    target = receiver;
    return inner.receive(tap, most, now);
  }

  private final class Tap implements Receiver {
    @Override
    public void datagram(Arrival arrival, long now) {
      arrived(arrival);
      target.datagram(arrival, now);
    }

    @Override
    public void overflowed(long now) {
      target.overflowed(now);
    }
  }
}
