/**
 * Management datagrams through libibumad, without a verbs device: on ports of InfiniBand adapters
 * known to the kernel, and of simulators that take the kernel's place.
 */
@NullMarked
package dev.verbena.rdmacore.umad;

import org.jspecify.annotations.NullMarked;
