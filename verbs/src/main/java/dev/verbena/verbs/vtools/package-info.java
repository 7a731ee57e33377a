/**
 * Helpers over verbs objects, as python-rdma's rdma.vtools has them: a pool of buffers for sends
 * and receives, and a loop over completions that sleeps in between.
 */
@NullMarked
package dev.verbena.verbs.vtools;

import org.jspecify.annotations.NullMarked;
