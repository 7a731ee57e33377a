/** Models of Ethernet frames: their bytes, and which receivers the steering rules select. */
@NullMarked
package dev.verbena.soft.sim.frames;

import org.jspecify.annotations.NullMarked;
