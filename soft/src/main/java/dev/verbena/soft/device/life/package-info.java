/** What this device has and how much of it, and the sections that calls of one object open. */
@NullMarked
package dev.verbena.soft.device.life;

import org.jspecify.annotations.NullMarked;
