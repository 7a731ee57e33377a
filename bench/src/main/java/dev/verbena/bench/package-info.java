/** JMH benchmarks. */
@NullMarked
package dev.verbena.bench;

import org.jspecify.annotations.NullMarked;
