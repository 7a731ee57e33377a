/**
 * Management datagrams (MADs) of InfiniBand: their headers and the attributes of subnet
 * administration, as tables of bit fields over memory. No I/O, no threads, no clocks.
 */
@NullMarked
package dev.verbena.wire.mad;

import org.jspecify.annotations.NullMarked;
