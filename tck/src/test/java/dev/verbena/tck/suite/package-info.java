/** Runs the conformance suite by itself, on a computer that has Java and a device, but no Maven. */
@NullMarked
package dev.verbena.tck.suite;

import org.jspecify.annotations.NullMarked;
