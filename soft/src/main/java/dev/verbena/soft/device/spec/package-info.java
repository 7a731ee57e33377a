/**
 * A device before it is opened: its specification, its identity and limits, and the InfiniBand
 * subnet that it joins.
 */
@NullMarked
package dev.verbena.soft.device.spec;

import org.jspecify.annotations.NullMarked;
