/**
 * The conformance suite: one set of tests for every provider and link. All of it is below {@code
 * src/test}, for it uses the tools of tests; this package only makes the module one that Maven
 * packs and documents.
 */
@NullMarked
package dev.verbena.tck;

import org.jspecify.annotations.NullMarked;
