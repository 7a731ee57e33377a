package dev.verbena.soft.queue;

import org.jspecify.annotations.Nullable;

/**
 * Reads a completion ring entry by entry, where they lie (S6.13). Whoever uses it holds the ring's
 * poll guard from {@link #first} to {@link #end}, and holds up nobody who adds: entries between
 * head and tail are the reader's, and stay the same objects when the ring grows or is resized.
 *
 * <p>What an entry frees in the send queue is free once the entry was visited, as with every other
 * way of polling; its own place in the ring is at the end.
 */
public final class CompletionCursor {
  private static final CompletionEntry[] NONE = {};

  private final CompletionRing ring;
  private CompletionEntry[] entries = NONE;
  private long next;
  private long limit;
  private @Nullable CompletionEntry current;

  /** Of this ring. */
  public CompletionCursor(CompletionRing ring) {
    this.ring = ring;
  }

  /** Goes to the oldest entry; false if there is none. */
  public boolean first() {
    next = ring.head();
    limit = next;
    return next();
  }

  /** Goes to the next entry; false if there is none yet. */
  public boolean next() {
    if (next == limit) {
      // In this order: the array is at least as new as the entries up to the tail.
      limit = ring.tail();
      entries = ring.entries();
    }
    if (next == limit) {
      current = null;
      return false;
    }
    CompletionEntry entry = entries[(int) (next % entries.length)];
    next++;
    entry.reclaim();
    current = entry;
    return true;
  }

  /** The entry that was gone to; null before the first and after the last. */
  public @Nullable CompletionEntry current() {
    return current;
  }

  /** Takes the entries that were visited out of the ring. */
  public void end() {
    ring.advanceHead(next);
    current = null;
    entries = NONE;
  }
}
