/**
 * A fuzzer that knows the protocol: it changes packets of live connections, gives them a right
 * ICRC, and puts them between the others, in virtual time.
 */
@NullMarked
package dev.verbena.soft.fuzz;

import org.jspecify.annotations.NullMarked;
