/** Raw packets, steering rules, work queues and segmentation (chapter 9). */
@NullMarked
package dev.verbena.tck.raw;

import org.jspecify.annotations.NullMarked;
