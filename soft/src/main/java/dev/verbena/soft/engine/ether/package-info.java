/** The Ethernet side of a device: what its frames travel on, and to whom rules steer them. */
@NullMarked
package dev.verbena.soft.engine.ether;

import org.jspecify.annotations.NullMarked;
