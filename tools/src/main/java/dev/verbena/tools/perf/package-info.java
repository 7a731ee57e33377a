/**
 * The tools that measure latency and bandwidth, and the TCP side channel they share with perftest's
 * C programs.
 */
@NullMarked
package dev.verbena.tools.perf;

import org.jspecify.annotations.NullMarked;
