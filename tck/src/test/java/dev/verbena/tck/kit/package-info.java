/**
 * What tests wait with, compare with, and run beside themselves. The packages below build on it.
 */
@NullMarked
package dev.verbena.tck.kit;

import org.jspecify.annotations.NullMarked;
