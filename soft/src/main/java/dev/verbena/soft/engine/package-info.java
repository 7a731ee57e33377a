/** Progress: doorbells, the engine thread, poll-driven progress, timers, waiting. */
@NullMarked
package dev.verbena.soft.engine;

import org.jspecify.annotations.NullMarked;
