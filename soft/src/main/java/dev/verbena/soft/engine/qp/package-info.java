/** The running half of queue pairs, and the ways between those of one process. */
@NullMarked
package dev.verbena.soft.engine.qp;

import org.jspecify.annotations.NullMarked;
