/** The links that a test runs on, and the two ways to post. */
@NullMarked
package dev.verbena.tck.kit.links;

import org.jspecify.annotations.NullMarked;
