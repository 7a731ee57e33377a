package dev.verbena.soft.device;

import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;

/**
 * A link with its own limit to packets in flight, which it says is that of a buffer, so that peers
 * tell each other.
 */
final class NarrowLink extends ForwardingLink {
  private final int mostInFlight;

  NarrowLink(Link inner, int mostInFlight) {
    super(inner);
    this.mostInFlight = mostInFlight;
  }

  @Override
  public int mostInFlight(int payload) {
    return mostInFlight;
  }

  @Override
  public int mostAnswersInFlight(int mtu) {
    return mostInFlight;
  }

  @Override
  public int receiveBuffer() {
    return mostInFlight * MAX_DATAGRAM;
  }
}
