package dev.verbena.tools.demo;

import org.HdrHistogram.Histogram;

/**
 * One row of the result.
 *
 * @param operation the operation measured
 * @param size message size in bytes
 * @param messages number of messages measured
 * @param latency nanoseconds from post to completion, for one message at a time; empty if several
 *     were in flight at once
 * @param bytesPerSecond payload divided by time; 0 if one message at a time was measured
 * @param retransmitted packets that the client retransmitted
 */
record Measurement(
    Operation operation,
    int size,
    long messages,
    Histogram latency,
    double bytesPerSecond,
    long retransmitted) {}
