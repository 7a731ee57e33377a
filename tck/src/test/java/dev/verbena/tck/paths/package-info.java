/** End ports and paths: finding where a path begins, and using it. */
@NullMarked
package dev.verbena.tck.paths;

import org.jspecify.annotations.NullMarked;
