/** The features and limits of this device. */
@NullMarked
package dev.verbena.soft.device.life;

import org.jspecify.annotations.NullMarked;
