/** The {@code verbena} command. */
@NullMarked
package dev.verbena.tools;

import org.jspecify.annotations.NullMarked;
