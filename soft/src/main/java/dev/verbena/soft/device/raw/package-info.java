/**
 * Objects that only frames need: steering rules, and queue pairs that distribute frames over work
 * queues.
 */
@NullMarked
package dev.verbena.soft.device.raw;

import org.jspecify.annotations.NullMarked;
