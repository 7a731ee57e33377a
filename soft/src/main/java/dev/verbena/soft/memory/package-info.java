/** Key table, regions, windows, access checks, gather and scatter, atomics. */
@NullMarked
package dev.verbena.soft.memory;

import org.jspecify.annotations.NullMarked;
