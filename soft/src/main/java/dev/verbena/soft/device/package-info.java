/**
 * The provider and its devices; contexts and protection domains, which make all other objects. The
 * packages below have these.
 */
@NullMarked
package dev.verbena.soft.device;

import org.jspecify.annotations.NullMarked;
