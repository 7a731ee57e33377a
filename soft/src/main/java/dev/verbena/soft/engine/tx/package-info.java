/**
 * The way of packets out of the device: the one transmitter of its link, and what may be in flight
 * to each peer.
 */
@NullMarked
package dev.verbena.soft.engine.tx;

import org.jspecify.annotations.NullMarked;
