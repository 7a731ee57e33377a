/**
 * Mixed traffic between several pairs of queue pairs for any time, with every byte and every atomic
 * checked: {@link dev.verbena.tck.torture.Torture}.
 */
@NullMarked
package dev.verbena.tck.torture;

import org.jspecify.annotations.NullMarked;
