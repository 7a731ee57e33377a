package dev.verbena.soft.link;

import dev.verbena.wire.Address;
import java.lang.foreign.MemorySegment;

/**
 * A link in front of another one, to which it forwards whatever a decorator does not change. It
 * sends the datagrams of a batch one by one and no long packets, and exports nothing, so that a
 * decorator sees each packet.
 */
public abstract class ForwardingLink implements Link {
  /** The link behind. */
  protected final Link inner;

  /**
   * @param inner the link behind, which is closed with this one
   */
  protected ForwardingLink(Link inner) {
    this.inner = inner;
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    return inner.send(datagram, length, route, now);
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    return inner.receive(receiver, most, now);
  }

  @Override
  public void join(Address group) {
    inner.join(group);
  }

  @Override
  public void leave(Address group) {
    inner.leave(group);
  }

  @Override
  public boolean holds() {
    return inner.holds();
  }

  @Override
  public long deadline() {
    return inner.deadline();
  }

  @Override
  public boolean needsIcrc() {
    return inner.needsIcrc();
  }

  @Override
  public int maxDatagram() {
    return inner.maxDatagram();
  }

  @Override
  public int mostInFlight(int payload) {
    return inner.mostInFlight(payload);
  }

  @Override
  public int mostInFlightOf(int charge, int largest, int peerBuffer) {
    return inner.mostInFlightOf(charge, largest, peerBuffer);
  }

  @Override
  public int receiveBuffer() {
    return inner.receiveBuffer();
  }

  @Override
  public int mostAnswersInFlight(int mtu) {
    return inner.mostAnswersInFlight(mtu);
  }

  @Override
  public void await(long nanos) {
    inner.await(nanos);
  }

  @Override
  public void wake() {
    inner.wake();
  }

  @Override
  public int bell() {
    return inner.bell();
  }

  @Override
  public boolean reaches(Address address, long now) {
    return inner.reaches(address, now);
  }

  @Override
  public Address address() {
    return inner.address();
  }

  @Override
  public LinkState state() {
    return inner.state();
  }

  @Override
  public void close() {
    inner.close();
  }
}
