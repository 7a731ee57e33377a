/**
 * The subnet administrator of in-process InfiniBand subnets: it answers questions about their ports
 * and the paths between them, and keeps their multicast groups and services.
 */
@NullMarked
package dev.verbena.mad.sa;

import org.jspecify.annotations.NullMarked;
