/**
 * The way of packets out of the device: the sending side of its link, the limits for what may be in
 * flight to each destination, and the queue pairs that expect packets.
 */
@NullMarked
package dev.verbena.soft.engine.tx;

import org.jspecify.annotations.NullMarked;
