/** The objects that users hold: argument checks, lifetimes, the queue pair state machine. */
@NullMarked
package dev.verbena.soft.device;

import org.jspecify.annotations.NullMarked;
