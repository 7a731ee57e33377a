/** The start of most tests: connected queue pairs, their memory, and requests for them. */
@NullMarked
package dev.verbena.tck.kit.pairs;

import org.jspecify.annotations.NullMarked;
