/**
 * The provider and its devices; contexts and protection domains, which make all other objects.
 * Those are in the packages below.
 */
@NullMarked
package dev.verbena.soft.device;

import org.jspecify.annotations.NullMarked;
