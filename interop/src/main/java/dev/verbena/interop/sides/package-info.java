/**
 * The two ends of a case behind one interface: a queue pair of our software device in this process,
 * and one of Linux's rdma_rxe in a guest.
 */
@NullMarked
package dev.verbena.interop.sides;

import org.jspecify.annotations.NullMarked;
