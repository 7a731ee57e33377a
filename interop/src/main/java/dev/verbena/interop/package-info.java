/**
 * The Java end of the kernel interop stage: drives our software device and a queue pair of Linux's
 * rdma_rxe at once, and checks what both report.
 */
@NullMarked
package dev.verbena.interop;

import org.jspecify.annotations.NullMarked;
