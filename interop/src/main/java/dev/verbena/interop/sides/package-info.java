/**
 * The two ends of a case behind one interface: a queue pair of a device in this process, and one
 * that verbs_peer.py has. One of them is of our software device, the other one of Linux's rdma_rxe.
 */
@NullMarked
package dev.verbena.interop.sides;

import org.jspecify.annotations.NullMarked;
