/**
 * A provider of {@code verbs} over the libibverbs that is installed. An object here has the address
 * of a struct of the library, its handle ({@link dev.verbena.rdmacore.call.Handle}).
 */
@NullMarked
package dev.verbena.rdmacore.device;

import org.jspecify.annotations.NullMarked;
