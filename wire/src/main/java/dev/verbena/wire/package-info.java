/** RoCEv2 packet formats as pure functions over memory: no I/O, no threads, no clocks. */
@NullMarked
package dev.verbena.wire;

import org.jspecify.annotations.NullMarked;
