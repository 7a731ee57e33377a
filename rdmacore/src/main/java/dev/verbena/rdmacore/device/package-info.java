/**
 * A provider of {@code verbs} over the libibverbs that is installed: what it offers is called
 * through the Foreign Function and Memory API. An object here has the address of a struct of the
 * library, its handle ({@link dev.verbena.rdmacore.device.Handle}), which no call uses once the
 * struct is being destroyed.
 */
@NullMarked
package dev.verbena.rdmacore.device;

import org.jspecify.annotations.NullMarked;
