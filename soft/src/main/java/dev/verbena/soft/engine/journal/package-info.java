/** What the queue pairs of a device tell of themselves: lines of a log. */
@NullMarked
package dev.verbena.soft.engine.journal;

import org.jspecify.annotations.NullMarked;
