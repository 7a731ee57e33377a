package dev.verbena.soft.engine.qp;

import dev.verbena.soft.link.Route;
import dev.verbena.soft.queue.Destination;

/**
 * The destination of datagrams, prepared by an address handle.
 *
 * @param route address and IP header fields
 */
public record DatagramRoute(Route route) implements Destination {}
