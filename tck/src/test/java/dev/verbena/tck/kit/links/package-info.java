/** What a test runs on: each link, and each of the two ways to post. */
@NullMarked
package dev.verbena.tck.kit.links;

import org.jspecify.annotations.NullMarked;
