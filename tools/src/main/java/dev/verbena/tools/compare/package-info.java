/** {@code verbena compare}: compares this device with other ways to move bytes on this computer. */
@NullMarked
package dev.verbena.tools.compare;

import org.jspecify.annotations.NullMarked;
