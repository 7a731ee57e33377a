/** Waiting, comparing, and child processes for tests. The packages below build on this one. */
@NullMarked
package dev.verbena.tck.kit;

import org.jspecify.annotations.NullMarked;
