/**
 * RDMA verbs: the objects of libibverbs as Java interfaces, its structures as values, its enums
 * with its numbers.
 *
 * <p>Names are libibverbs' without {@code ibv_}, in camel case, on the object they act on. Start at
 * {@link dev.verbena.verbs.Devices}.
 */
@NullMarked
package dev.verbena.verbs;

import org.jspecify.annotations.NullMarked;
