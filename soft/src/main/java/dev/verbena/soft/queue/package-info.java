/** Send, receive and shared receive queues, completion rings, channels and asynchronous events. */
@NullMarked
package dev.verbena.soft.queue;

import org.jspecify.annotations.NullMarked;
