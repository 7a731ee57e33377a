/**
 * RDMA verbs: the objects of libibverbs as Java interfaces, its structures as values, its enums
 * with its numbers.
 *
 * <p>Names are libibverbs' without {@code ibv_}, in camel case, on the object they act on. Start at
 * {@link dev.verbena.verbs.Devices}.
 *
 * <p>Objects of a device (contexts, queue pairs, completion queues and so on) may be used by
 * several threads at once, except for posting to a queue pair with a {@link
 * dev.verbena.verbs.ThreadDomain}. Values (work requests, elements, completions, attributes) are
 * not thread-safe: one that can be changed belongs to one thread at a time.
 *
 * <p>Numbers in parentheses, as S2.21 or WR-022, are those of rules and requirements in the
 * project's specification; its tests name the ones that they prove.
 */
@NullMarked
package dev.verbena.verbs;

import org.jspecify.annotations.NullMarked;
