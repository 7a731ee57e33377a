/** The ping-pong tools, and the TCP side channel they share with libibverbs' examples. */
@NullMarked
package dev.verbena.tools.pingpong;

import org.jspecify.annotations.NullMarked;
