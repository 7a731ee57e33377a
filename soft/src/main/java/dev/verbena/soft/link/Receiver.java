package dev.verbena.soft.link;

import java.lang.foreign.MemorySegment;

/** Takes what a {@link Link} has received. */
@FunctionalInterface
public interface Receiver {
  /**
   * One datagram, of any content: it comes from the network. Addresses are halves as {@link
   * dev.verbena.wire.RoceAddress} has them.
   *
   * @param datagram memory that starts with the datagram and may be longer; valid during the call
   * @param length bytes of the datagram
   * @param srcHi upper half of the sender's address
   * @param srcLo lower half of the sender's address
   * @param dstHi upper half of the address it was sent to
   * @param dstLo lower half of the address it was sent to
   * @param srcPort UDP source port, 16 bits
   * @param ttl IPv4 time to live or IPv6 hop limit, 8 bits; -1 if unknown
   * @param tos IPv4 type of service or IPv6 traffic class, 8 bits; -1 if unknown
   * @param now engine time, as given to {@link Link#receive}
   */
  void datagram(
      MemorySegment datagram,
      long length,
      long srcHi,
      long srcLo,
      long dstHi,
      long dstLo,
      int srcPort,
      int ttl,
      int tos,
      long now);
}
