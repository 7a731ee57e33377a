/** Counts the methods and classes that one RDMA WRITE goes through: {@code bin/hops}. */
@NullMarked
package dev.verbena.bench.hops;

import org.jspecify.annotations.NullMarked;
