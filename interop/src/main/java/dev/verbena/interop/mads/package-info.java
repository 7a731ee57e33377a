/**
 * Tests of management datagrams against OpenSM on a simulated subnet, whose answers are compared
 * with the output of saquery, and against the agents of a Linux kernel.
 */
@NullMarked
package dev.verbena.interop.mads;

import org.jspecify.annotations.NullMarked;
