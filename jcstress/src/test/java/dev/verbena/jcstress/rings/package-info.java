/** Rings hand requests, receives and completions from one thread to another, each once. */
@NullMarked
package dev.verbena.jcstress.rings;

import org.jspecify.annotations.NullMarked;
