/**
 * The data path: requests and completions in native memory, and the functions of the driver that
 * take and give them. It allocates nothing.
 */
@NullMarked
package dev.verbena.rdmacore.post;

import org.jspecify.annotations.NullMarked;
