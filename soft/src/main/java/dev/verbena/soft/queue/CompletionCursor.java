package dev.verbena.soft.queue;

import org.jspecify.annotations.Nullable;

/**
 * Reads a completion ring entry by entry (S6.13). Whoever uses it holds the ring's poll guard until
 * {@link #end}, and holds up nobody who adds.
 *
 * <p>An entry is taken out of the ring when it is visited: programs post again while they look at a
 * completion, and what then completes must find its place. So the cursor never makes a ring overrun
 * that is large enough for what may be outstanding.
 */
public final class CompletionCursor {
  private final CompletionRing ring;
  private final CompletionEntry visited = new CompletionEntry();
  private boolean onEntry;

  /** Of this ring. */
  public CompletionCursor(CompletionRing ring) {
    this.ring = ring;
  }

  /** Goes to the oldest entry that was not visited; false if there is none yet. */
  public boolean next() {
    onEntry = ring.take(visited);
    return onEntry;
  }

  /** The entry that was gone to; null before the first and after the last. */
  public @Nullable CompletionEntry current() {
    return onEntry ? visited : null;
  }

  /** Is on no entry any more. */
  public void end() {
    onEntry = false;
  }
}
