package dev.verbena.soft.queue;

/**
 * The destination of a datagram: made by an address handle, carried by work requests, and
 * interpreted by the sending path.
 */
public interface Destination {}
