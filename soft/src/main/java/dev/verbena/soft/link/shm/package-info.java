/**
 * Shared memory between the processes of one user on one computer: a link whose packets lie in
 * rings that both ends have mapped.
 */
@NullMarked
package dev.verbena.soft.link.shm;

import org.jspecify.annotations.NullMarked;
