/** Links within this process: datagrams go from queue to queue. */
@NullMarked
package dev.verbena.soft.link.local;

import org.jspecify.annotations.NullMarked;
