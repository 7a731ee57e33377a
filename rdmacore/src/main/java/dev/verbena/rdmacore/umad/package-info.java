/**
 * Management datagrams by libibumad: ports of InfiniBand adapters that the kernel knows, and of
 * simulators that take the kernel's place, without a verbs device.
 */
@NullMarked
package dev.verbena.rdmacore.umad;

import org.jspecify.annotations.NullMarked;
