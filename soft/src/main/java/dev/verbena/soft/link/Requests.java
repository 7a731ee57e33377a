package dev.verbena.soft.link;

import dev.verbena.wire.Address;

/**
 * One direction of a connection. What a queue pair expects equals what its peer sends if both are
 * connected with each other.
 *
 * @param to address of the responder
 * @param toQpn its queue pair
 * @param from address of the requester
 * @param fromQpn its queue pair
 * @param psn the first PSN of the connection
 * @param pkey P_Key of both
 */
public record Requests(Address to, int toQpn, Address from, int fromQpn, int psn, int pkey) {}
