/** The events that libibverbs reports: who reads them, and the thread that waits for them. */
@NullMarked
package dev.verbena.rdmacore.event;

import org.jspecify.annotations.NullMarked;
