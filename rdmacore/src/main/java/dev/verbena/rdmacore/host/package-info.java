/**
 * This process as C sees it: its memory by address, the values in structs, and the libraries that
 * can be called.
 */
@NullMarked
package dev.verbena.rdmacore.host;

import org.jspecify.annotations.NullMarked;
