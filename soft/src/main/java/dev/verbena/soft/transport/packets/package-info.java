/**
 * Chunks and answers as packets: reading and writing them, and the answers that wait to be sent.
 */
@NullMarked
package dev.verbena.soft.transport.packets;

import org.jspecify.annotations.NullMarked;
