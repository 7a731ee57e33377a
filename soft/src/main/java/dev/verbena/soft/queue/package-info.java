/**
 * Send and receive queues, completion rings and queues of events. They hold work and results; who
 * may touch them when is decided by guards that the engine makes, and waiting is done elsewhere:
 * they only signal.
 */
@NullMarked
package dev.verbena.soft.queue;

import org.jspecify.annotations.NullMarked;
