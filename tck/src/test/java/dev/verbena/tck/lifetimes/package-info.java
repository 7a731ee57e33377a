/** What keeps what alive (end of chapter 6), and what comes of calls on what is closed. */
@NullMarked
package dev.verbena.tck.lifetimes;

import org.jspecify.annotations.NullMarked;
