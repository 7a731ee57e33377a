package dev.verbena.soft.queue;

import dev.verbena.soft.memory.Domain;

/**
 * An XRC shared receive queue, as requests find it by its number.
 *
 * @param xrcDomain identity of its XRC domain
 * @param queue its receives
 * @param ring the ring for their completions
 * @param domain the domain of memory for its receives and for requests that name it
 */
public record XrcQueue(
    Object xrcDomain, SharedRecvQueue queue, CompletionRing ring, Domain domain) {}
