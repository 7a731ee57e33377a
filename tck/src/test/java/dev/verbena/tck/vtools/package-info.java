/** The helpers over verbs: buffer pools and pollers. */
@NullMarked
package dev.verbena.tck.vtools;

import org.jspecify.annotations.NullMarked;
