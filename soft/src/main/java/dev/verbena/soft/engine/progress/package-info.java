/**
 * The schedule and its timers, the guards and their ranks, waiting threads, and failures that must
 * not end any of them.
 */
@NullMarked
package dev.verbena.soft.engine.progress;

import org.jspecify.annotations.NullMarked;
