package dev.verbena.soft.engine;

import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.transport.QpEvents;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpType;

/**
 * What a queue pair is made of, for {@link Engine#attach}.
 *
 * @param type transport service
 * @param cap sizes of its queues
 * @param sendCq where sends complete
 * @param recvCq where receives complete
 * @param domain its protection domain
 * @param locksPosting whether several threads may post; false within a thread domain
 * @param events where its events go
 */
public record QpSetup(
    QpType type,
    QpCap cap,
    CompletionRing sendCq,
    CompletionRing recvCq,
    Domain domain,
    boolean locksPosting,
    QpEvents events) {}
