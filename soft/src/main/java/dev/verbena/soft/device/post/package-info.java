/** Posting: what may be posted where, and how it gets into a send or receive queue. */
@NullMarked
package dev.verbena.soft.device.post;

import org.jspecify.annotations.NullMarked;
