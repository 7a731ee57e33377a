/**
 * Management datagrams (MADs): a transactor that sends requests to agents and waits for their
 * responses, over a transport of its choice, and path resolution by a subnet administrator.
 */
@NullMarked
package dev.verbena.mad;

import org.jspecify.annotations.NullMarked;
