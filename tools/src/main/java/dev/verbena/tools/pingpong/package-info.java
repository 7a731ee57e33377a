/** The ping-pong tools, after libibverbs' examples: their options, queue pairs and loops. */
@NullMarked
package dev.verbena.tools.pingpong;

import org.jspecify.annotations.NullMarked;
