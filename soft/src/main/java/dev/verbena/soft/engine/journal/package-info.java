/**
 * What the queue pairs of a device tell of themselves: lines of a log, and events of flight
 * recordings.
 */
@NullMarked
package dev.verbena.soft.engine.journal;

import org.jspecify.annotations.NullMarked;
