/** Posting: the rules for work requests, and their way into a send or receive queue. */
@NullMarked
package dev.verbena.soft.device.post;

import org.jspecify.annotations.NullMarked;
