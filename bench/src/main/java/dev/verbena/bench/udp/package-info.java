/** What the UDP link carries between two processes, beside what the kernel carries without it. */
@NullMarked
package dev.verbena.bench.udp;

import org.jspecify.annotations.NullMarked;
