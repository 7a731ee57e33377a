package dev.verbena.wire;

/**
 * How a datagram travels within an InfiniBand subnet: the part of its local route header that a
 * receiver sees. RoCE has none.
 *
 * @param slid source LID, path bits included
 * @param dlid destination LID, path bits included, or the LID of a multicast group
 * @param dlidPathBits the difference between {@code dlid} and the lowest LID of its port
 * @param sl service level, 0 to 15
 * @param isGlobal whether a global route header (GRH) follows
 */
public record LocalRoute(int slid, int dlid, int dlidPathBits, int sl, boolean isGlobal) {}
