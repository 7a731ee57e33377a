/**
 * The half of a queue pair that sends requests, goes back after a loss, and completes requests when
 * their answers come (S12.5).
 */
@NullMarked
package dev.verbena.soft.transport.requester;

import org.jspecify.annotations.NullMarked;
