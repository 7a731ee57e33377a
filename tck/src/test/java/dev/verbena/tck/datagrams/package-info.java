/**
 * Datagrams: what their receivers see and check (chapter 3.3), and multicast groups (chapter 8).
 */
@NullMarked
package dev.verbena.tck.datagrams;

import org.jspecify.annotations.NullMarked;
