/** Shared memory between devices: mail, and who is woken for it. */
@NullMarked
package dev.verbena.jcstress.links;

import org.jspecify.annotations.NullMarked;
