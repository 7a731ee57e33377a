/**
 * The engine of a device and its thread: takes what arrives to the queue pairs, and keeps them
 * going when nobody polls. What it schedules by is in {@code progress}.
 */
@NullMarked
package dev.verbena.soft.engine;

import org.jspecify.annotations.NullMarked;
