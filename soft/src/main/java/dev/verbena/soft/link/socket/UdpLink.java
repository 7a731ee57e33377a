package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.wire.Address;

/** A link by a UDP socket: what it is to its user, however the system is called. */
abstract class UdpLink implements Link {
  private final LocalAddress local;
  private final LinkCounters counters;
  private final InFlightWindow window;

  /** At a local address, where peers may have so much in flight. */
  UdpLink(LocalAddress local, LinkCounters counters, InFlightWindow window) {
    this.local = local;
    this.counters = counters;
    this.window = window;
  }

  final LocalAddress local() {
    return local;
  }

  final LinkCounters counters() {
    return counters;
  }

  @Override
  public final int maxDatagram() {
    return local.maxDatagram();
  }

  @Override
  public final int window(int payload) {
    return window.packets(payload);
  }

  @Override
  public final int windowOf(int charge) {
    return window.packetsOf(charge);
  }

  @Override
  public final int answerWindow(int mtu) {
    return window.answers(mtu);
  }

  @Override
  public final Address address() {
    return local.address();
  }
}
