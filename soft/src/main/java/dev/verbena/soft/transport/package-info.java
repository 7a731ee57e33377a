/**
 * The protocol machines: requester, completer, responder. They take (now, packet, doorbell or
 * timer) and produce packets, completions and the next deadline; they know no sockets, threads,
 * locks or clocks, so a seed and a virtual clock reproduce a run.
 *
 * <p>The requester and the completer of a queue pair work under its requester guard, the responder
 * and its outbox under its responder guard. A request travels as a chunk ({@link
 * dev.verbena.soft.transport.Chunk}), a run of packet sequence numbers of one message: one packet
 * on a packet link, up to 256 KiB on the loopback.
 */
@NullMarked
package dev.verbena.soft.transport;

import org.jspecify.annotations.NullMarked;
