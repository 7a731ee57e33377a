/** What only the packets show (chapter 12), UC, and progress without polling. */
@NullMarked
package dev.verbena.tck.transport;

import org.jspecify.annotations.NullMarked;
