/**
 * Helpers for verbs objects, as in python-rdma's rdma.vtools: a pool of buffers for sends and
 * receives, a loop over completions that sleeps while there are none, and waiting for a completion
 * in one line.
 */
@NullMarked
package dev.verbena.verbs.vtools;

import org.jspecify.annotations.NullMarked;
