/** Completion queues, their events and their cursors (chapter 6). */
@NullMarked
package dev.verbena.tck.completion;

import org.jspecify.annotations.NullMarked;
