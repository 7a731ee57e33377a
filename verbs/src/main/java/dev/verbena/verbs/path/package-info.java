/**
 * Operations on {@linkplain dev.verbena.verbs.IbPath paths}: completing, resolving and negotiating
 * them.
 */
@NullMarked
package dev.verbena.verbs.path;

import org.jspecify.annotations.NullMarked;
