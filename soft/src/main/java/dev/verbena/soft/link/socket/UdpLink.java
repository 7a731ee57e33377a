package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.wire.Address;

/** The common part of UDP links, independent of how they call the system. */
abstract class UdpLink implements Link {
  private final LocalAddress local;
  private final LinkCounters counters;
  private final InFlightWindow inFlight;

  /** A link at a local address, with the limits for what peers may have in flight. */
  UdpLink(LocalAddress local, LinkCounters counters, InFlightWindow inFlight) {
    this.local = local;
    this.counters = counters;
    this.inFlight = inFlight;
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
  public final int mostInFlight(int payload) {
    return inFlight.packets(payload);
  }

  @Override
  public final int mostInFlightOf(int charge, int largest, int peerBuffer) {
    return inFlight.packetsOf(charge, largest, peerBuffer);
  }

  @Override
  public final int receiveBuffer() {
    return inFlight.receiveBuffer();
  }

  @Override
  public final int mostAnswersInFlight(int mtu) {
    return inFlight.answers(mtu);
  }

  @Override
  public final Address address() {
    return local.address();
  }
}
