/** What objects know of their context and protection domain, and the simplest such objects. */
@NullMarked
package dev.verbena.soft.device.object;

import org.jspecify.annotations.NullMarked;
