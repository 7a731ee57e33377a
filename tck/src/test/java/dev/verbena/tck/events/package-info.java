/** Asynchronous events (chapter 10). */
@NullMarked
package dev.verbena.tck.events;

import org.jspecify.annotations.NullMarked;
