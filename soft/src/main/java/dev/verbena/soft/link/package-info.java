/** How packets travel, and what is done to them on the way. */
@NullMarked
package dev.verbena.soft.link;

import org.jspecify.annotations.NullMarked;
