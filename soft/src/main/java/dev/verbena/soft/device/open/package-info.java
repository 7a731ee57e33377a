/** An open device: its specification, its address, its port, its recordings. */
@NullMarked
package dev.verbena.soft.device.open;

import org.jspecify.annotations.NullMarked;
