/** Devices: discovery, attributes, and unsupported features (chapter 11). */
@NullMarked
package dev.verbena.tck.devices;

import org.jspecify.annotations.NullMarked;
