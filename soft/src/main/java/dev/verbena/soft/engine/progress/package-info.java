/**
 * What is to be done, when, and by whom: the schedule and its timers, the guards and their ranks,
 * threads that wait, and failures that end none of them.
 */
@NullMarked
package dev.verbena.soft.engine.progress;

import org.jspecify.annotations.NullMarked;
