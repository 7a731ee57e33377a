/** What is done with {@linkplain dev.verbena.verbs.IbPath paths}: filling, resolving, agreeing. */
@NullMarked
package dev.verbena.verbs.path;

import org.jspecify.annotations.NullMarked;
