/** A device that is open: what it is asked to be, its address, its port, its recordings. */
@NullMarked
package dev.verbena.soft.device.open;

import org.jspecify.annotations.NullMarked;
