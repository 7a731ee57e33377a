/** Guards exclude other threads, and what they protect is visible to the next one. */
@NullMarked
package dev.verbena.jcstress.guards;

import org.jspecify.annotations.NullMarked;
