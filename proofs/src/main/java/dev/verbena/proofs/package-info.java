/** Which tests prove which requirements. */
@NullMarked
package dev.verbena.proofs;

import org.jspecify.annotations.NullMarked;
