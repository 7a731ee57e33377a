/** The reports of a device's queue pairs: lines of a log, and events of flight recordings. */
@NullMarked
package dev.verbena.soft.engine.journal;

import org.jspecify.annotations.NullMarked;
