/**
 * Send and receive queues, completion rings and queues of events. They hold work and results.
 * Guards that the engine makes decide which thread may touch them; they do not wait, but only
 * signal.
 */
@NullMarked
package dev.verbena.soft.queue;

import org.jspecify.annotations.NullMarked;
