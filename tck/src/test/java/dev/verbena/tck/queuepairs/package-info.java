/** The life of a queue pair (chapter 4): attributes, transitions, and what each state does. */
@NullMarked
package dev.verbena.tck.queuepairs;

import org.jspecify.annotations.NullMarked;
