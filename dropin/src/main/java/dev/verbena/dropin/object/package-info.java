/**
 * The objects behind the handles that the program's structs have ({@link
 * dev.verbena.dropin.object.Handles}), and what the drop-in has to know of each.
 */
@NullMarked
package dev.verbena.dropin.object;

import org.jspecify.annotations.NullMarked;
