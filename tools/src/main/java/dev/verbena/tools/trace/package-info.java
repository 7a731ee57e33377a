/** {@code verbena trace}: shows the RoCE packets of a capture file as a ladder. */
@NullMarked
package dev.verbena.tools.trace;

import org.jspecify.annotations.NullMarked;
