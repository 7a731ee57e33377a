package dev.verbena.soft.queue;

import org.jspecify.annotations.Nullable;

/**
 * Reads a completion ring entry by entry (S6.13). Its user holds the ring's poll guard until {@link
 * #end}, and delays no thread that adds.
 *
 * <p>Visiting an entry removes it from the ring, because programs post again while they look at a
 * completion, and the new completions need room. So the cursor never makes a ring overrun that is
 * large enough for what may be outstanding.
 */
public final class CompletionCursor {
  private final CompletionRing ring;
  private final CompletionEntry visited = new CompletionEntry();
  private boolean onEntry;

  /** A cursor for this ring. */
  public CompletionCursor(CompletionRing ring) {
    this.ring = ring;
  }

  /** Moves to the oldest unvisited entry; returns false if there is none yet. */
  public boolean next() {
    onEntry = ring.take(visited);
    return onEntry;
  }

  /** The current entry; null before the first and after the last. */
  public @Nullable CompletionEntry current() {
    return onEntry ? visited : null;
  }

  /** Leaves the current entry. */
  public void end() {
    onEntry = false;
  }
}
