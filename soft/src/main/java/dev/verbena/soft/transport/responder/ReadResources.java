package dev.verbena.soft.transport.responder;

import dev.verbena.wire.Psn;

/**
 * A responder's memory of the last READs, atomics and ATOMIC_WRITEs, as many as the peer may have
 * outstanding, so that a repeated request is answered again and only a READ is executed twice
 * (S12.6.3). FLUSHes are remembered separately, because not every peer counts them among these. The
 * oldest is forgotten first.
 */
final class ReadResources {
  private enum Kind {
    READ,
    ATOMIC,
    ATOMIC_WRITE
  }

  /**
   * Remembered FLUSHes: more than the packets that Linux, which does not count FLUSHes, has
   * unanswered at a time (128).
   */
  private static final int FLUSHES = 256;

  private static final int[] NONE = {};

  private int[] firstPsns = {};
  private int[] psnCounts = {};
  private long[] originals = {};
  private Kind[] kinds = {};
  private int next;
  private int used;
  private int[] flushes = NONE;
  private int nextFlush;
  private int usedFlushes;

  /** Forgets all, and makes room for this many. */
  public void reset(int capacity) {
    if (firstPsns.length != capacity) {
      firstPsns = new int[capacity];
      psnCounts = new int[capacity];
      originals = new long[capacity];
      kinds = new Kind[capacity];
    }
    next = 0;
    used = 0;
    nextFlush = 0;
    usedFlushes = 0;
  }

  /** Makes room for this many, if there is less, because a modify has raised the limit. */
  public void ensure(int capacity) {
    int present = firstPsns.length;
    if (present < capacity) {
      int oldest = used < present ? 0 : next;
      firstPsns = unrolled(firstPsns, present, oldest, new int[capacity]);
      psnCounts = unrolled(psnCounts, present, oldest, new int[capacity]);
      originals = unrolled(originals, present, oldest, new long[capacity]);
      kinds = unrolled(kinds, present, oldest, new Kind[capacity]);
      next = used;
    }
  }

  /** Copies a ring to the front of a larger array, with the oldest entry first. */
  private static <A> A unrolled(A ring, int length, int oldest, A into) {
    System.arraycopy(ring, oldest, into, 0, length - oldest);
    System.arraycopy(ring, 0, into, length - oldest, oldest);
    return into;
  }

  public void rememberRead(int psn, int count) {
    remember(psn, count, Kind.READ, 0);
  }

  public void rememberAtomic(int psn, long original) {
    remember(psn, 1, Kind.ATOMIC, original);
  }

  public void rememberWrite(int psn) {
    remember(psn, 1, Kind.ATOMIC_WRITE, 0);
  }

  /** Remembers a FLUSH. The first one of a queue pair makes room for all. */
  public void rememberFlush(int psn) {
    if (flushes.length == 0) {
      flushes = new int[FLUSHES];
    }
    flushes[nextFlush] = psn;
    nextFlush = (nextFlush + 1) % FLUSHES;
    usedFlushes = Math.min(usedFlushes + 1, FLUSHES);
  }

  /** Whether a READ that covers these PSNs is remembered. */
  public boolean coversRead(int psn, int count) {
    for (int i = 0; i < used; i++) {
      int offset = Psn.diff(psn, firstPsns[i]);
      if (kinds[i] == Kind.READ && offset >= 0 && offset + count <= psnCounts[i]) {
        return true;
      }
    }
    return false;
  }

  /** The index of the remembered result of the atomic with this PSN, or -1. */
  public int findAtomic(int psn) {
    return find(Kind.ATOMIC, psn);
  }

  /** Whether an ATOMIC_WRITE with this PSN is remembered. */
  public boolean hasWrite(int psn) {
    return find(Kind.ATOMIC_WRITE, psn) >= 0;
  }

  /** Whether a FLUSH with this PSN is remembered. */
  public boolean hasFlush(int psn) {
    for (int i = 0; i < usedFlushes; i++) {
      if (flushes[i] == psn) {
        return true;
      }
    }
    return false;
  }

  private int find(Kind kind, int psn) {
    for (int i = 0; i < used; i++) {
      if (kinds[i] == kind && firstPsns[i] == psn) {
        return i;
      }
    }
    return -1;
  }

  /**
   * First PSN of the oldest remembered request after {@code psn}, or {@code end}, which is after
   * all of them.
   */
  public int firstBehind(int psn, int end) {
    int first = end;
    for (int i = 0; i < used; i++) {
      first = nearer(firstPsns[i], psn, first);
    }
    for (int i = 0; i < usedFlushes; i++) {
      first = nearer(flushes[i], psn, first);
    }
    return first;
  }

  private static int nearer(int candidate, int psn, int first) {
    return Psn.diff(candidate, psn) > 0 && Psn.diff(candidate, first) < 0 ? candidate : first;
  }

  /** The original value that an atomic found. */
  public long original(int index) {
    return originals[index];
  }

  private void remember(int psn, int count, Kind kind, long original) {
    firstPsns[next] = psn;
    psnCounts[next] = count;
    kinds[next] = kind;
    originals[next] = original;
    next = (next + 1) % firstPsns.length;
    used = Math.max(used, next == 0 ? firstPsns.length : next);
  }
}
