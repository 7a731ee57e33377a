/**
 * Tests that need a separate process: peers that sleep or die, and a process that runs out of a
 * resource.
 */
@NullMarked
package dev.verbena.tck.processes;

import org.jspecify.annotations.NullMarked;
