/** The Ethernet side of a device: the way of its frames, and the receivers that rules select. */
@NullMarked
package dev.verbena.soft.engine.ether;

import org.jspecify.annotations.NullMarked;
