/** Renders the layouts as C source, for builds; not exported. */
@NullMarked
package dev.verbena.rdmacore.asserts;

import org.jspecify.annotations.NullMarked;
