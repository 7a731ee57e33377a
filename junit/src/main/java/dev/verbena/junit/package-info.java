/**
 * Tests with RDMA, by JUnit: {@link dev.verbena.junit.RdmaDevice} gives each test a software device
 * of its own, with faults on demand.
 */
@NullMarked
package dev.verbena.junit;

import org.jspecify.annotations.NullMarked;
