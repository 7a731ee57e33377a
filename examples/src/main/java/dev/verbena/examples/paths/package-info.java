/**
 * Destinations by name, and queue pairs by paths: the examples of python-rdma's manual, in their
 * order. Each has a {@code main} that takes the names of devices or ports, {@code soft0} by
 * default; on InfiniBand ({@code ib:a}) the subnet administrator knows the paths. To run one:
 * {@code bin/example paths.UdClient ib:a ib:b ib:c}.
 */
@NullMarked
package dev.verbena.examples.paths;

import org.jspecify.annotations.NullMarked;
