package dev.verbena.verbs;

/**
 * A device's capabilities for hashing frames (struct ibv_rss_caps; ibv_query_device_ex(3)); all 0
 * if it has none.
 *
 * @param supportedQpts bit n set: queue pairs of type number n can hash
 * @param maxRwqIndirectionTables number of tables
 * @param maxRwqIndirectionTableSize entries of a table
 * @param rxHashFieldsMask {@link RxHashFields} bits
 * @param rxHashFunction {@link RxHashFunction} bits
 */
public record RssCaps(
    int supportedQpts,
    int maxRwqIndirectionTables,
    int maxRwqIndirectionTableSize,
    long rxHashFieldsMask,
    int rxHashFunction) {}
