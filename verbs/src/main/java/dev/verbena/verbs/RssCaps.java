package dev.verbena.verbs;

/**
 * What a device can do with hashes of frames (struct ibv_rss_caps; ibv_query_device_ex(3)); all 0
 * if nothing.
 *
 * @param supportedQpts bit n set: queue pairs of type number n can hash
 * @param maxRwqIndirectionTables tables
 * @param maxRwqIndirectionTableSize entries of one
 * @param rxHashFieldsMask {@link RxHashFields} bits
 * @param rxHashFunction {@link RxHashFunction} bits
 */
public record RssCaps(
    int supportedQpts,
    int maxRwqIndirectionTables,
    int maxRwqIndirectionTableSize,
    long rxHashFieldsMask,
    int rxHashFunction) {}
