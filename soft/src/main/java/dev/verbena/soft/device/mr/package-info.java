/** Memory regions and memory windows, and the checks of registrations. */
@NullMarked
package dev.verbena.soft.device.mr;

import org.jspecify.annotations.NullMarked;
