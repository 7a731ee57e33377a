/** Calls from the C shim, and the lookup of the software device's objects. */
@NullMarked
package dev.verbena.dropin;

import org.jspecify.annotations.NullMarked;
