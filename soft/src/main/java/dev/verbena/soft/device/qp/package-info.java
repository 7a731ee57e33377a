/**
 * Queue pairs: what can be made, the table of their states and what each change sets; multicast
 * groups; shared receive queues and XRC domains.
 */
@NullMarked
package dev.verbena.soft.device.qp;

import org.jspecify.annotations.NullMarked;
