/**
 * Registered memory: the key table, access checks, scatter/gather lists, copies and atomics. Knows
 * nothing of queues or packets; no locks on any access.
 */
@NullMarked
package dev.verbena.soft.memory;

import org.jspecify.annotations.NullMarked;
