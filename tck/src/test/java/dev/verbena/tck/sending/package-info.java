/**
 * Posting sends (chapter 1): each operation, its flags, its data, its completion and its errors.
 */
@NullMarked
package dev.verbena.tck.sending;

import org.jspecify.annotations.NullMarked;
