/** Sans-I/O protocol machines: requester, responder, completer. */
@NullMarked
package dev.verbena.soft.transport;

import org.jspecify.annotations.NullMarked;
