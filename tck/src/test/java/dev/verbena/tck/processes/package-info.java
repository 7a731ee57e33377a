/**
 * What takes a process of its own: peers that sleep or die, and a process that runs out of
 * something.
 */
@NullMarked
package dev.verbena.tck.processes;

import org.jspecify.annotations.NullMarked;
