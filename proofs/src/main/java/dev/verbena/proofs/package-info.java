/** Which tests prove which requirements, and what the tests of all modules share. */
@NullMarked
package dev.verbena.proofs;

import org.jspecify.annotations.NullMarked;
