/**
 * What objects know of the context and the protection domain that they are made from, and the
 * objects that are no more than that.
 */
@NullMarked
package dev.verbena.soft.device.object;

import org.jspecify.annotations.NullMarked;
