/** RDMA verbs: the objects, values and errors of the libibverbs programming model. */
@NullMarked
package dev.verbena.verbs;

import org.jspecify.annotations.NullMarked;
