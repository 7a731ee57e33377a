/**
 * The conformance suite: one set of tests for every provider and link. All of it is below {@code
 * src/test}, because it uses test libraries; this package is only there so that Maven packages and
 * documents the module.
 */
@NullMarked
package dev.verbena.tck;

import org.jspecify.annotations.NullMarked;
