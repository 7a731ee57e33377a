/** What the commands share: their options, how they fail, and how they wait. */
@NullMarked
package dev.verbena.tools.kit;

import org.jspecify.annotations.NullMarked;
