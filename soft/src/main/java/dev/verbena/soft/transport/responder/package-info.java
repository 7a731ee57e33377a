/** The half of a queue pair that checks and executes the requests of its peer (S12.6). */
@NullMarked
package dev.verbena.soft.transport.responder;

import org.jspecify.annotations.NullMarked;
