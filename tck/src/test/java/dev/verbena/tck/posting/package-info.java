/** The extended posting interface (chapter 2), from {@code wrStart} to {@code wrComplete}. */
@NullMarked
package dev.verbena.tck.posting;

import org.jspecify.annotations.NullMarked;
