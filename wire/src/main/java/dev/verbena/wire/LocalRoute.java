package dev.verbena.wire;

/**
 * How a datagram travels within an InfiniBand subnet: what its local route header says, as far as a
 * receiver is told. RoCE has none.
 *
 * @param slid source LID, path bits included
 * @param dlid destination LID, path bits included, or that of a multicast group
 * @param dlidPathBits by how much {@code dlid} exceeds the lowest LID of the port that has it
 * @param sl service level, 0 to 15
 * @param isGlobal whether a global route header (GRH) follows
 */
public record LocalRoute(int slid, int dlid, int dlidPathBits, int sl, boolean isGlobal) {}
