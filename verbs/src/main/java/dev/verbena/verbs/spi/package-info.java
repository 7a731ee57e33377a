/**
 * What devices offer beyond the verbs to those who manage a network: transports of management
 * datagrams, and in-process subnets with their agents. It uses the API, and the API does not know
 * it. What the API itself asks is beside it: {@link dev.verbena.verbs.VerbsProvider}, which opens
 * devices, and {@link dev.verbena.verbs.NodeProvider}, which knows others.
 */
@NullMarked
package dev.verbena.verbs.spi;

import org.jspecify.annotations.NullMarked;
