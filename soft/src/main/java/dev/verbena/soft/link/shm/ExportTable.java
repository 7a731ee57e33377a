package dev.verbena.soft.link.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The layout of the two tables of exports in an inbox, one of regions by their rkey, one of queue
 * pairs by their number. Each key has a bucket of four entries; what finds none free is not
 * exported. An entry is a cache line:
 *
 * <pre>
 *  0  key, and a serial number that is never 0; all 0 if the entry is free
 *  8  five longs, which mean what the table says
 * 48  a check sum of the above, because other processes can write here by mistake
 * 56  of a queue pair: its serial number, and how often its peer has begun or ended to use it, so
 *     odd while it does
 * </pre>
 *
 * The owner writes the first long last. The peer counts in the last one only as long as that has
 * the serial number of the entry that it knows.
 */
final class ExportTable {
  private static final int BUCKETS = 256;

  /** Entries of a bucket. */
  static final int WAYS = 4;

  static final int ENTRIES = BUCKETS * WAYS;

  private static final int ENTRY_BYTES = 64;
  static final long BYTES = (long) ENTRIES * ENTRY_BYTES;

  /** The longs in an entry that its owner chooses. */
  static final int FIELDS = 5;

  private static final long FIELDS_AT = 8;
  private static final long CHECK_AT = 48;
  private static final long USE_AT = 56;

  /** The serial number in a use. */
  private static final long SERIAL = 0xFFFF_FFFF_0000_0000L;

  /** Odd, with as many ones as zeros: it spreads a changed bit over all. */
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private ExportTable() {}

  /** The index of the first entry in which a key may be. */
  static int bucket(int key) {
    return ((key ^ (key >>> 16)) & (BUCKETS - 1)) * WAYS;
  }

  /** The first long of an entry. */
  static long word(int key, int serial) {
    return ((long) key << 32) | (serial & 0xFFFF_FFFFL);
  }

  /** Whether this first long is of an entry with this key. */
  static boolean has(long word, int key) {
    return (int) (word >>> 32) == key && (int) word != 0;
  }

  /** Where the first long of an entry is. */
  static long at(long table, int index) {
    return table + (long) index * ENTRY_BYTES;
  }

  /** Where an entry of a queue pair counts its use. */
  static long useAt(long table, int index) {
    return at(table, index) + USE_AT;
  }

  /** Whether this use is of the entry with this first long, by nobody at the moment. */
  static boolean isFree(long use, long word) {
    return (int) (use >>> Integer.SIZE) == (int) word && (use & 1) == 0;
  }

  /** The use after this one. */
  static long nextUse(long use) {
    return (use & SERIAL) | ((use + 1) & ~SERIAL);
  }

  /** Fills a free entry. */
  static void fill(MemorySegment memory, long at, long word, long[] fields) {
    for (int i = 0; i < FIELDS; i++) {
      memory.set(ValueLayout.JAVA_LONG, at + FIELDS_AT + (long) i * Long.BYTES, fields[i]);
    }
    memory.set(ValueLayout.JAVA_LONG, at + CHECK_AT, check(word, fields));
    memory.set(ValueLayout.JAVA_LONG, at + USE_AT, word << Integer.SIZE);
    InboxLayout.publish(memory, at, word);
  }

  /**
   * Reads an entry.
   *
   * @param word its first long
   * @return whether it was complete and is still the same
   */
  static boolean read(MemorySegment memory, long at, long word, long[] fields) {
    for (int i = 0; i < FIELDS; i++) {
      fields[i] = InboxLayout.longAt(memory, at + FIELDS_AT + (long) i * Long.BYTES);
    }
    return InboxLayout.longAt(memory, at + CHECK_AT) == check(word, fields)
        && InboxLayout.longAt(memory, at) == word;
  }

  private static long check(long word, long[] fields) {
    long sum = word * MIX;
    for (long field : fields) {
      sum = (Long.rotateLeft(sum, 29) ^ field) * MIX;
    }
    return sum;
  }
}
