package dev.verbena.tools.trace;

import dev.verbena.wire.Psn;
import java.util.Map;
import java.util.TreeMap;

/**
 * The PSNs that went by in one direction. PSNs of 24 bits wrap around, so they are counted on
 * without end here.
 */
final class PsnProgress {
  /** How a packet's PSN relates to those before it. */
  enum Place {
    /** It was not due yet, or just now. */
    NEW,
    /** It was seen before. */
    AGAIN,
    /** Later PSNs came before it. */
    LATE,
    /** So far off that it must be of a new connection. */
    RESTART
  }

  /** No sender has more packets in flight. */
  private static final long FAR = 1 << 16;

  /** Ranges of PSNs kept; what is before them counts as seen. */
  private static final int MOST_RANGES = 4096;

  /** Ranges seen, by their first PSN, to the PSN behind them. */
  private final TreeMap<Long, Long> seen = new TreeMap<>();

  private long next;
  private long forgotten;
  private long lastGap;
  private long missing;
  private long gaps;

  /**
   * Takes a packet that uses {@code count} PSNs from {@code psn} on.
   *
   * @param mayJump how many PSNs may be left out without being a gap
   */
  Place take(int psn, long count, long mayJump) {
    lastGap = 0;
    if (seen.isEmpty()) {
      return restart(psn, count, Place.NEW);
    }
    long first = next + Psn.diff(psn, Psn.mask((int) next));
    long jump = first - next;
    // A long READ takes more PSNs at once, and may be asked for again from anywhere in it.
    if (jump > FAR + mayJump || (jump < -FAR && !isSeen(first))) {
      return restart(psn, count, Place.RESTART);
    }
    if (jump >= 0) {
      if (jump > mayJump) {
        lastGap = jump;
        missing += jump;
        gaps++;
      }
      add(first, first + count);
      next = first + count;
      return Place.NEW;
    }
    if (first < forgotten || isSeen(first)) {
      add(first, first + count);
      next = Math.max(next, first + count);
      return Place.AGAIN;
    }
    missing = Math.max(0, missing - count);
    add(first, first + count);
    return Place.LATE;
  }

  /** How many PSNs were left out just before the packet that was taken last. */
  long lastGap() {
    return lastGap;
  }

  /** How often PSNs were left out. */
  long gaps() {
    return gaps;
  }

  /** PSNs left out that have not come since. */
  long missing() {
    return missing;
  }

  private Place restart(int psn, long count, Place place) {
    seen.clear();
    // Far from 0, as what is before the first packet may come late.
    long first = psn + (1L << 32);
    add(first, first + count);
    next = first + count;
    forgotten = 0;
    return place;
  }

  private boolean isSeen(long psn) {
    Map.Entry<Long, Long> before = seen.floorEntry(psn);
    return before != null && psn < before.getValue();
  }

  private void add(long first, long end) {
    long from = first;
    long to = end;
    Map.Entry<Long, Long> before = seen.floorEntry(from);
    if (before != null && before.getValue() >= from) {
      from = before.getKey();
      to = Math.max(to, before.getValue());
    }
    Map.Entry<Long, Long> behind = seen.ceilingEntry(from);
    while (behind != null && behind.getKey() <= to) {
      to = Math.max(to, behind.getValue());
      seen.remove(behind.getKey());
      behind = seen.ceilingEntry(from);
    }
    seen.put(from, to);
    if (seen.size() > MOST_RANGES) {
      forgotten = seen.pollFirstEntry().getValue();
    }
  }
}
