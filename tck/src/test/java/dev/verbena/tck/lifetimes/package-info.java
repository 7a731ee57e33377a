/** Dependencies between objects (end of chapter 6), and calls on closed objects. */
@NullMarked
package dev.verbena.tck.lifetimes;

import org.jspecify.annotations.NullMarked;
