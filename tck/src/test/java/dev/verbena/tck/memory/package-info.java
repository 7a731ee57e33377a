/** Memory (chapter 5): regions, keys, memory windows, and the effect of atomics. */
@NullMarked
package dev.verbena.tck.memory;

import org.jspecify.annotations.NullMarked;
