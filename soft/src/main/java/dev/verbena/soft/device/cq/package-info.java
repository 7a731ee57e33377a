/** Completion queues and completion channels. */
@NullMarked
package dev.verbena.soft.device.cq;

import org.jspecify.annotations.NullMarked;
