/** Shared by the commands: common options, failures and waiting. */
@NullMarked
package dev.verbena.tools.kit;

import org.jspecify.annotations.NullMarked;
