package dev.verbena.soft.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Datagrams that wait to be sent, in order, each in its own buffer. It groups what a link may send
 * by one call: a run is a sequence of datagrams to one destination, of the same length except that
 * the last may be shorter. Allocates nothing after construction. For one thread at a time.
 */
public final class SendBatch {
  /** The most datagrams that it holds: as many segments as every Linux takes. */
  public static final int CAPACITY = 64;

  /** Bytes of a run: a little less than the largest UDP datagram. */
  private static final int RUN_BYTES = 65_400;

  private final MemorySegment memory;

  /**
   * The waiting datagrams, the oldest first, each in memory that starts with it. One more than it
   * holds, because the next datagram is written before it is known to have room.
   */
  public final MemorySegment[] datagrams;

  /** Bytes of the waiting datagrams. */
  public final int[] lengths;

  /** Destinations of the waiting datagrams. */
  public final Route[] routes;

  /**
   * Which of its run each waiting datagram was when it was added, from 0: over IPv4 the ID that its
   * ICRC covers.
   */
  public final int[] places;

  private int mostSegments;
  private int count;
  // The last run.
  private int runCount;
  private int runBytes;

  /**
   * An empty one, with room for one run.
   *
   * @param mostSegments datagrams of a run, see {@link Link#mostSegments}
   * @param slotBytes the longest datagram, bytes
   */
  public SendBatch(int mostSegments, long slotBytes) {
    this.mostSegments = mostSegments;
    datagrams = new MemorySegment[mostSegments + 1];
    lengths = new int[mostSegments];
    routes = new Route[mostSegments];
    places = new int[mostSegments];
    // Freed by the garbage collector, because a late sender must not meet a closed arena.
    memory = Arena.ofAuto().allocate(datagrams.length * slotBytes, Link.BUFFER_ALIGNMENT);
    for (int i = 0; i < datagrams.length; i++) {
      datagrams[i] = memory.asSlice(i * slotBytes, slotBytes);
    }
  }

  /** The number of datagrams of this length for which a run has room. */
  public static int mostInRun(int length) {
    return Math.clamp(RUN_BYTES / length, 1, CAPACITY);
  }

  /** Sets the most datagrams of a run from now on, not more than at first. */
  public void mostSegments(int most) {
    mostSegments = most;
  }

  /** Removes all datagrams, which the link has refused. */
  public void withdraw() {
    count = 0;
    runCount = 0;
    runBytes = 0;
  }

  /** Memory for the next datagram. */
  public MemorySegment next() {
    return datagrams[count];
  }

  /**
   * Adds the datagram written to {@link #next}; there must be room.
   *
   * @param route the destination
   * @return which datagram of its run it is, from 0
   */
  public int add(int length, Route route) {
    boolean joins =
        runCount > 0
            && runCount < mostSegments
            && runBytes + length <= RUN_BYTES
            && length <= lengths[count - 1]
            && lengths[count - 1] == lengths[count - runCount]
            && !route.isMulticast()
            && route.equals(routes[count - 1]);
    int place = joins ? runCount : 0;
    lengths[count] = length;
    routes[count] = route;
    places[count] = place;
    runCount = place + 1;
    runBytes = joins ? runBytes + length : length;
    count++;
    return place;
  }

  /**
   * Adds the datagram written to {@link #next} before the last one, if that makes the two a run:
   * the last one is alone, shorter, and has the same destination. Only for datagrams whose order
   * does not matter; the other is now the second of its run.
   *
   * @return whether it did
   */
  public boolean addBeforeLast(int length, Route route) {
    int last = count - 1;
    boolean joins =
        runCount == 1
            && runCount < mostSegments
            && !isFull()
            && lengths[last] < length
            && runBytes + length <= RUN_BYTES
            && route.equals(routes[last]);
    if (joins) {
      MemorySegment shorter = datagrams[last];
      datagrams[last] = datagrams[count];
      datagrams[count] = shorter;
      lengths[count] = lengths[last];
      lengths[last] = length;
      routes[count] = route;
      places[last] = 0;
      places[count] = 1;
      runCount = 2;
      runBytes += length;
      count++;
    }
    return joins;
  }

  /** The number of waiting datagrams. */
  public int count() {
    return count;
  }

  /** Whether nothing waits. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Whether there is no room. */
  public boolean isFull() {
    return count == lengths.length;
  }

  /**
   * Whether another datagram like the last one would start a new run, so that waiting for it gains
   * nothing.
   */
  public boolean endsFull() {
    return runCount == mostSegments
        || (runCount > 0 && runBytes + lengths[count - 1] > RUN_BYTES)
        || count == lengths.length;
  }

  /** The last waiting datagram; there must be one. */
  public MemorySegment last() {
    return datagrams[count - 1];
  }

  /** Datagrams of the first run; 0 if nothing waits. */
  public int firstRun() {
    int run = Math.min(1, count);
    while (run < count && places[run] > 0) {
      run++;
    }
    return run;
  }

  /** The memory that contains all of them. */
  public MemorySegment memory() {
    return memory;
  }

  /** Forgets the oldest ones; of a run that they cut, what is left becomes one of its own. */
  public void remove(int sent) {
    // The slot behind the last one, which may be in use already, moves with the others.
    for (int i = 0; i + sent <= count; i++) {
      MemorySegment slot = datagrams[i];
      datagrams[i] = datagrams[i + sent];
      datagrams[i + sent] = slot;
    }
    int left = count - sent;
    System.arraycopy(lengths, sent, lengths, 0, left);
    System.arraycopy(routes, sent, routes, 0, left);
    System.arraycopy(places, sent, places, 0, left);
    count = left;
    if (runCount > left) {
      runCount = left;
      runBytes = 0;
      for (int i = 0; i < left; i++) {
        runBytes += lengths[i];
      }
    }
  }
}
