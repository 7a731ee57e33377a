/** The running half of queue pairs, and how those of one process reach each other. */
@NullMarked
package dev.verbena.soft.engine.qp;

import org.jspecify.annotations.NullMarked;
