/** Memory regions and memory windows, and what may be registered. */
@NullMarked
package dev.verbena.soft.device.mr;

import org.jspecify.annotations.NullMarked;
