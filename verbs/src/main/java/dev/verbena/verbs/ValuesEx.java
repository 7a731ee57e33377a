package dev.verbena.verbs;

/**
 * Values of a device at a moment (struct ibv_values_ex).
 *
 * @param compMask {@link ValuesMask} bits of the values returned
 * @param rawClock ticks of hca_core_clock, to compare with {@link
 *     CompletionQueueEx#readCompletionTs}; valid with {@link ValuesMask#RAW_CLOCK}
 */
public record ValuesEx(int compMask, long rawClock) {}
