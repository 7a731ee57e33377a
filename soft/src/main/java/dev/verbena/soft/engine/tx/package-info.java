/**
 * The way of packets out of the device: the one transmitter of its link, what may be in flight to
 * each destination, and who expects packets.
 */
@NullMarked
package dev.verbena.soft.engine.tx;

import org.jspecify.annotations.NullMarked;
