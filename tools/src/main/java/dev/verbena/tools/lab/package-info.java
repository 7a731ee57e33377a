/** {@code verbena lab}: one operation, and what the loss of a packet does to it. */
@NullMarked
package dev.verbena.tools.lab;

import org.jspecify.annotations.NullMarked;
