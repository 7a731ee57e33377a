/** Keys find whole regions, and those only, while others come and go. */
@NullMarked
package dev.verbena.jcstress.keys;

import org.jspecify.annotations.NullMarked;
