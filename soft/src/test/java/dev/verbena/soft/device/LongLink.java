package dev.verbena.soft.device;

import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Receiver;

/** A link with long packets and without ICRC, as through memory. */
final class LongLink extends ForwardingLink {
  LongLink(Link inner) {
    super(inner);
  }

  @Override
  public int longPayload() {
    return maxDatagram() - MAX_OVERHEAD;
  }

  @Override
  public boolean needsIcrc() {
    return false;
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    return super.receive(
        (arrival, at) -> {
          arrival.icrc(false);
          receiver.datagram(arrival, at);
        },
        most,
        now);
  }
}
