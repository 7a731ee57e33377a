/** The demonstration: two processes on this machine move data by RDMA. */
@NullMarked
package dev.verbena.tools.demo;

import org.jspecify.annotations.NullMarked;
