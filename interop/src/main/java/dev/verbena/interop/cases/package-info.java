/** What is tried: cases, each to be run once with either side as the initiator. */
@NullMarked
package dev.verbena.interop.cases;

import org.jspecify.annotations.NullMarked;
