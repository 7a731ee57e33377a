/** Structs of C that only the drop-in reads or writes. */
@NullMarked
package dev.verbena.dropin.struct;

import org.jspecify.annotations.NullMarked;
