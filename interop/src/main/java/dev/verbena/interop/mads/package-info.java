/**
 * Management datagrams, judged by others: OpenSM on a simulated subnet, whose answers are compared
 * with what saquery prints, and the agents of a Linux kernel.
 */
@NullMarked
package dev.verbena.interop.mads;

import org.jspecify.annotations.NullMarked;
