/** Receives, of a queue pair's own queue and of shared ones (chapter 3). */
@NullMarked
package dev.verbena.tck.receiving;

import org.jspecify.annotations.NullMarked;
