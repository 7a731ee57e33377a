/** Layouts of libibverbs' structs. */
@NullMarked
package dev.verbena.rdmacore.layout;

import org.jspecify.annotations.NullMarked;
