/** The conformance suite: one set of tests for every provider and link. */
@NullMarked
package dev.verbena.tck;

import org.jspecify.annotations.NullMarked;
