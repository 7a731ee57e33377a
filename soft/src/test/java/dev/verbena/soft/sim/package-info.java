/**
 * Seeded random runs of two devices in virtual time, compared with a simple model of memory and
 * completions (S12.11).
 */
@NullMarked
package dev.verbena.soft.sim;

import org.jspecify.annotations.NullMarked;
