/** Calls from the C shim, and how they find the objects of the software device. */
@org.jspecify.annotations.NullMarked
package dev.verbena.dropin;
