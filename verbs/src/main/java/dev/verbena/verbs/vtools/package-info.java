/**
 * Helpers for verbs objects, as in python-rdma's rdma.vtools: a pool of buffers for sends and
 * receives, and a loop over completions that sleeps while there are none.
 */
@NullMarked
package dev.verbena.verbs.vtools;

import org.jspecify.annotations.NullMarked;
