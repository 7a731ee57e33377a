/**
 * Ethernet frames: as chunks of RAW_PACKET queue pairs, cut into segments, steered by rules,
 * distributed by a hash.
 */
@NullMarked
package dev.verbena.soft.transport.frames;

import org.jspecify.annotations.NullMarked;
