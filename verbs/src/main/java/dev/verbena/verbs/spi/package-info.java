/**
 * Interfaces that devices offer, beyond the verbs, for managing a network: transports of management
 * datagrams, and in-process subnets with their agents. This package uses the API, but the API does
 * not use it. The interfaces that the API itself looks up are in its own package: {@link
 * dev.verbena.verbs.VerbsProvider}, which opens devices, and {@link
 * dev.verbena.verbs.NodeProvider}, which finds others.
 */
@NullMarked
package dev.verbena.verbs.spi;

import org.jspecify.annotations.NullMarked;
