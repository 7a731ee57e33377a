/** Chunks and answers as packets: reading and writing them, and answers waiting to be sent. */
@NullMarked
package dev.verbena.soft.transport.packets;

import org.jspecify.annotations.NullMarked;
