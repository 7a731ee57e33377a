package dev.verbena.soft.link;

import dev.verbena.wire.Address;
import dev.verbena.wire.LocalRoute;
import org.jspecify.annotations.Nullable;

/**
 * Destination and IP header fields of sent packets.
 *
 * @param destination address to send to
 * @param trafficClass IPv4 type of service or IPv6 traffic class, 8 bits
 * @param hopLimit IPv4 time to live or IPv6 hop limit, 8 bits; 0 means {@value #DEFAULT_HOP_LIMIT},
 *     and 1 for a multicast group, because Linux sends no packet with hop limit 0
 * @param flowLabel IPv6 flow label, 20 bits; a UDP socket does not carry it: Linux derives its own
 *     from the ports and addresses, and the ICRC does not cover it
 * @param local the route within an InfiniBand subnet; null with RoCE
 */
public record Route(
    Address destination,
    int trafficClass,
    int hopLimit,
    int flowLabel,
    @Nullable LocalRoute local) {
  /** The default hop limit. */
  public static final int DEFAULT_HOP_LIMIT = 64;

  /** The default hop limit for a multicast group, which stays within the local network (S8.8). */
  public static final int MULTICAST_HOP_LIMIT = 1;

  /** A route of RoCE. */
  public Route(Address destination, int trafficClass, int hopLimit, int flowLabel) {
    this(destination, trafficClass, hopLimit, flowLabel, null);
  }

  /** Whether the destination is a multicast group. */
  public boolean isMulticast() {
    return destination.isMulticast();
  }

  /** The effective hop limit, 1 to 255; also 0 within an InfiniBand subnet. */
  public int effectiveHopLimit() {
    int limit = hopLimit & 0xFF;
    if (limit != 0 || local != null) {
      return limit;
    }
    return isMulticast() ? MULTICAST_HOP_LIMIT : DEFAULT_HOP_LIMIT;
  }
}
