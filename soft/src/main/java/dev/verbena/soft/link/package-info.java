/** How packets travel: what every link promises, and what links share. */
@NullMarked
package dev.verbena.soft.link;

import org.jspecify.annotations.NullMarked;
