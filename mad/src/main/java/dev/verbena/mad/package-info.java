/**
 * Management datagrams (MADs): a transactor that asks agents and waits for their answers, over a
 * transport of its own choice, and the resolution of paths by a subnet administrator.
 */
@NullMarked
package dev.verbena.mad;

import org.jspecify.annotations.NullMarked;
