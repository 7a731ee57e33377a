package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a new extended completion queue is to be (struct ibv_cq_init_attr_ex).
 *
 * @param cqe entries, at least 1
 * @param cqContext the application's own object
 * @param channel where events go, or null
 * @param compVector completion vector, from 0
 * @param wcFlags {@link WcExFlags}: the fields that will be read
 * @param flags {@link CreateCqFlags}
 * @param parentDomain a domain whose thread domain removes locking, or null
 */
public record CqInitAttrEx(
    int cqe,
    @Nullable Object cqContext,
    @Nullable CompletionChannel channel,
    int compVector,
    int wcFlags,
    int flags,
    @Nullable ParentDomain parentDomain) {}
