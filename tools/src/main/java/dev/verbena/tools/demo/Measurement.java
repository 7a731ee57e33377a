package dev.verbena.tools.demo;

import org.HdrHistogram.Histogram;

/**
 * One row of the result.
 *
 * @param operation what was run
 * @param size bytes of a message
 * @param messages how many were measured
 * @param latency nanoseconds from post to completion of one message at a time; empty if several
 *     were under way at once
 * @param bytesPerSecond payload over time; 0 if one message at a time was measured
 * @param retransmitted packets that the client sent again
 */
record Measurement(
    Operation operation,
    int size,
    long messages,
    Histogram latency,
    double bytesPerSecond,
    long retransmitted) {}
