/** What this device has, and how much of it. */
@NullMarked
package dev.verbena.soft.device.life;

import org.jspecify.annotations.NullMarked;
