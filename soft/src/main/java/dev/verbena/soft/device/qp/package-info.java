/**
 * Queue pairs: their checks, the table of their states, and the effect of each change; multicast
 * groups; shared receive queues and XRC domains.
 */
@NullMarked
package dev.verbena.soft.device.qp;

import org.jspecify.annotations.NullMarked;
