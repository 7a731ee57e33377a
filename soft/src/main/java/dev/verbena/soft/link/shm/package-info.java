/**
 * A link between the processes of one user on one computer. Its packets are in rings in shared
 * memory, which both ends map.
 */
@NullMarked
package dev.verbena.soft.link.shm;

import org.jspecify.annotations.NullMarked;
