package dev.verbena.soft.queue;

/**
 * Where a datagram goes: made by an address handle, carried by work requests that name it, and
 * understood by what sends them.
 */
public interface Destination {}
