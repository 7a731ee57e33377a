/**
 * Calls of the libibverbs that is installed, through the Foreign Function and Memory API, and the
 * structs that they are about ({@link dev.verbena.rdmacore.call.Handle}), which no call uses once
 * they are being destroyed.
 */
@NullMarked
package dev.verbena.rdmacore.call;

import org.jspecify.annotations.NullMarked;
