/**
 * Mixed traffic between several pairs of queue pairs for as long as one likes, of which every byte
 * and every atomic is checked: {@link dev.verbena.tck.torture.Torture}.
 */
@NullMarked
package dev.verbena.tck.torture;

import org.jspecify.annotations.NullMarked;
