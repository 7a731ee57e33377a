package dev.verbena.soft.link;

import dev.verbena.wire.Address;
import dev.verbena.wire.LocalRoute;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A datagram as it was received, of any content: it comes from the network. A link uses the same
 * object for many, so it is valid only during {@link Receiver#datagram}. A carrier: its fields are
 * read, and set by the calls of a link.
 */
public final class Arrival {
  /** Memory that holds the datagram, from {@link #offset} on. */
  public final MemorySegment datagram;

  /** Where the datagram starts, bytes. */
  public long offset;

  /** Bytes of the datagram. */
  public long length;

  /**
   * Which datagram it is of those that the kernel has handed over as one, from 0: so many after the
   * first, their sender has counted up the IP ID.
   */
  public int place;

  /** The sender's address. */
  public Address source = Address.UNSPECIFIED;

  /** The address it was sent to. */
  public Address destination = Address.UNSPECIFIED;

  /** UDP source port, 16 bits. */
  public int srcPort;

  /** IPv4 time to live or IPv6 hop limit, 8 bits; -1 if unknown. */
  public int hopLimit;

  /** IPv4 type of service or IPv6 traffic class, 8 bits; -1 if unknown. */
  public int trafficClass;

  /** IPv6 flow label, 20 bits; 0 if unknown. */
  public int flowLabel;

  /** How it has travelled within an InfiniBand subnet; null with RoCE. */
  public @Nullable LocalRoute local;

  /** Whether the datagram has an ICRC. */
  public boolean hasIcrc = true;

  /**
   * @param datagram where datagrams are put
   */
  public Arrival(MemorySegment datagram) {
    this.datagram = datagram;
  }

  /**
   * Which part of the buffer it is.
   *
   * @param index which one of those that came as one, from 0
   */
  public void at(long start, long bytes, int index) {
    offset = start;
    length = bytes;
    place = index;
  }

  /** What its headers said; hop limit and traffic class are -1 if unknown. */
  public void headers(Address from, int fromPort, Address to, int hops, int traffic) {
    source = from;
    srcPort = fromPort;
    destination = to;
    hopLimit = hops;
    trafficClass = traffic;
  }

  /** Sets the flow label; 0 unless something else was said. */
  public void flowLabel(int label) {
    flowLabel = label;
  }

  /** Sets how it has travelled within a subnet; null unless something else was said. */
  public void local(@Nullable LocalRoute route) {
    local = route;
  }

  /** Sets whether it has an ICRC; true unless something else was said. */
  public void icrc(boolean whether) {
    hasIcrc = whether;
  }
}
