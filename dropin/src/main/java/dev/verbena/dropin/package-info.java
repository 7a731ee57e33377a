/** Calls from the C shim, and how they find the objects of the software device. */
@NullMarked
package dev.verbena.dropin;

import org.jspecify.annotations.NullMarked;
