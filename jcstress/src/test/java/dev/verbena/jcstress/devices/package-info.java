/** Devices in use by several threads: doorbells, and memory that ends. */
@NullMarked
package dev.verbena.jcstress.devices;

import org.jspecify.annotations.NullMarked;
