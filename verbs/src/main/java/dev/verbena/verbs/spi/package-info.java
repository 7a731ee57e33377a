/**
 * What devices offer beyond the verbs to those who manage a network: transports of management
 * datagrams, and in-process subnets with their agents. It uses the API, and the API does not know
 * it; what opens a device is {@link dev.verbena.verbs.VerbsProvider}.
 */
@NullMarked
package dev.verbena.verbs.spi;

import org.jspecify.annotations.NullMarked;
