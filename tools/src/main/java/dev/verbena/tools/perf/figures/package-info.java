/** What a run is timed with, its figures, and the report that shows them. */
@NullMarked
package dev.verbena.tools.perf.figures;

import org.jspecify.annotations.NullMarked;
