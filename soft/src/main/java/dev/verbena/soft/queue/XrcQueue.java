package dev.verbena.soft.queue;

import dev.verbena.soft.memory.Domain;

/**
 * An XRC shared receive queue, as requests find it by its number.
 *
 * @param xrcDomain identity of the XRC domain that it is of
 * @param queue its receives
 * @param ring where they complete
 * @param domain of the memory that its receives and the requests that name it may use
 */
public record XrcQueue(
    Object xrcDomain, SharedRecvQueue queue, CompletionRing ring, Domain domain) {}
