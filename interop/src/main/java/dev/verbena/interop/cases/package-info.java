/** The cases, each of which runs once with either side as the initiator. */
@NullMarked
package dev.verbena.interop.cases;

import org.jspecify.annotations.NullMarked;
