/** {@code verbena top}: the counters of all open devices, live. */
@NullMarked
package dev.verbena.tools.top;

import org.jspecify.annotations.NullMarked;
