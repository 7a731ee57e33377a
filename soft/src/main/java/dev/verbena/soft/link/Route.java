package dev.verbena.soft.link;

import dev.verbena.wire.Address;
import dev.verbena.wire.LocalRoute;
import org.jspecify.annotations.Nullable;

/**
 * Destination and IP header fields of what is sent.
 *
 * @param destination address to send to
 * @param trafficClass IPv4 type of service or IPv6 traffic class, 8 bits
 * @param hopLimit IPv4 time to live or IPv6 hop limit, 8 bits; 0 means {@value #DEFAULT_HOP_LIMIT},
 *     and 1 to a multicast group, for Linux sends no packet with none left
 * @param flowLabel IPv6 flow label, 20 bits; a UDP socket does not carry it: Linux sends what it
 *     makes of the ports and addresses, and the ICRC leaves it out
 * @param local how it travels within an InfiniBand subnet; null with RoCE
 */
public record Route(
    Address destination,
    int trafficClass,
    int hopLimit,
    int flowLabel,
    @Nullable LocalRoute local) {
  /** The hop limit of a packet for which none was given. */
  public static final int DEFAULT_HOP_LIMIT = 64;

  /** The same to a multicast group: not beyond the local network (S8.8). */
  public static final int MULTICAST_HOP_LIMIT = 1;

  /** A route of RoCE. */
  public Route(Address destination, int trafficClass, int hopLimit, int flowLabel) {
    this(destination, trafficClass, hopLimit, flowLabel, null);
  }

  /** Whether the destination is a multicast group. */
  public boolean isMulticast() {
    return destination.isMulticast();
  }

  /** The hop limit to send with, 1 to 255; 0, too, within a subnet of InfiniBand. */
  public int effectiveHopLimit() {
    int limit = hopLimit & 0xFF;
    if (limit != 0 || local != null) {
      return limit;
    }
    return isMulticast() ? MULTICAST_HOP_LIMIT : DEFAULT_HOP_LIMIT;
  }
}
