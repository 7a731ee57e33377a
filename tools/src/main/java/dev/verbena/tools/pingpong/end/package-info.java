/**
 * One end of a ping-pong: its device, buffer and completions, and what it tells the other end over
 * TCP, as libibverbs' examples do.
 */
@NullMarked
package dev.verbena.tools.pingpong.end;

import org.jspecify.annotations.NullMarked;
