/** The requirements, and which of them this build proves. */
@NullMarked
package dev.verbena.requirements;

import org.jspecify.annotations.NullMarked;
