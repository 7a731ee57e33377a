/** Links around other links: faults, capture, and the log of packets. */
@NullMarked
package dev.verbena.soft.link.wrap;

import org.jspecify.annotations.NullMarked;
