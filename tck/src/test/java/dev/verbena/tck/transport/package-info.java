/** What only the packets tell (chapter 12), UC, and progress that nobody polls for. */
@NullMarked
package dev.verbena.tck.transport;

import org.jspecify.annotations.NullMarked;
