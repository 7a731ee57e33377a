/** Memory (chapter 5): regions, keys, windows, and what atomics do to the bytes. */
@NullMarked
package dev.verbena.tck.memory;

import org.jspecify.annotations.NullMarked;
