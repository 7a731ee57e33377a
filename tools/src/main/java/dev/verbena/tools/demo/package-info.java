/** The demonstration: two processes on this computer move data by RDMA. */
@NullMarked
package dev.verbena.tools.demo;

import org.jspecify.annotations.NullMarked;
