package dev.verbena.soft.link;

import dev.verbena.wire.Address;
import dev.verbena.wire.LocalRoute;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A received datagram, of any content, since it comes from the network. A link reuses the object,
 * so it is valid only during {@link Receiver#datagram}. Callers only read its fields; the methods
 * for links set them.
 */
public final class Arrival {
  /** Memory that holds the datagram, from {@link #offset} on. */
  public final MemorySegment datagram;

  /** Where the datagram starts, bytes. */
  public long offset;

  /** Bytes of the datagram. */
  public long length;

  /**
   * Its index in a run that the kernel delivered as one, from 0. The sender has increased the IP ID
   * by this number since the first.
   */
  public int place;

  /** The sender's address. */
  public Address source = Address.UNSPECIFIED;

  /** The address to which it was sent. */
  public Address destination = Address.UNSPECIFIED;

  /** UDP source port, 16 bits. */
  public int srcPort;

  /** IPv4 time to live or IPv6 hop limit, 8 bits; -1 if unknown. */
  public int hopLimit;

  /** IPv4 type of service or IPv6 traffic class, 8 bits; -1 if unknown. */
  public int trafficClass;

  /** IPv6 flow label, 20 bits; 0 if unknown. */
  public int flowLabel;

  /** Its route within an InfiniBand subnet; null with RoCE. */
  public @Nullable LocalRoute local;

  /** Whether the datagram has an ICRC. */
  public boolean hasIcrc = true;

  /**
   * @param datagram memory for datagrams
   */
  public Arrival(MemorySegment datagram) {
    this.datagram = datagram;
  }

  /**
   * Sets the part of the buffer that it occupies.
   *
   * @param index its index in a run that came as one, from 0
   */
  public void at(long start, long bytes, int index) {
    offset = start;
    length = bytes;
    place = index;
  }

  /** Sets the fields of its headers; hop limit and traffic class are -1 if unknown. */
  public void headers(Address from, int fromPort, Address to, int hops, int traffic) {
    source = from;
    srcPort = fromPort;
    destination = to;
    hopLimit = hops;
    trafficClass = traffic;
  }

  /** Sets the flow label; the default is 0. */
  public void flowLabel(int label) {
    flowLabel = label;
  }

  /** Sets its route within a subnet; the default is null. */
  public void local(@Nullable LocalRoute route) {
    local = route;
  }

  /** Sets whether it has an ICRC; the default is true. */
  public void icrc(boolean whether) {
    hasIcrc = whether;
  }
}
