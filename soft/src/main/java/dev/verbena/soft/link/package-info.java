/** Links, which carry packets: the contract of every link, and what links share. */
@NullMarked
package dev.verbena.soft.link;

import org.jspecify.annotations.NullMarked;
