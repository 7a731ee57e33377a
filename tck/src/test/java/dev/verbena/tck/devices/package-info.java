/**
 * Devices: how they are found, what they say about themselves, and what they do not have (chapter
 * 11).
 */
@NullMarked
package dev.verbena.tck.devices;

import org.jspecify.annotations.NullMarked;
