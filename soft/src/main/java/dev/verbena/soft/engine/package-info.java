/**
 * The engine of a device and its thread: passes received packets to the queue pairs, and keeps them
 * going when nobody polls. Its schedule is in {@code progress}.
 */
@NullMarked
package dev.verbena.soft.engine;

import org.jspecify.annotations.NullMarked;
