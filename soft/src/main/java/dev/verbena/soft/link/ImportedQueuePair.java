package dev.verbena.soft.link;

import org.jspecify.annotations.Nullable;

/** A queue pair that its owner exports to this process. For one thread at a time. */
public interface ImportedQueuePair {
  /**
   * Begins to use memory of the owner.
   *
   * @return false if it is not exported any more, or the owner has ended; then {@link #exit} must
   *     not be called, and it will never be exported again
   */
  boolean enter();

  /** Ends what {@link #enter} has begun. */
  void exit();

  /**
   * A region of the same protection domain. Allocates nothing if it is not exported, or was found
   * before. Only from {@link #enter} to {@link #exit}.
   *
   * @return null if it is not exported
   */
  @Nullable ImportedRegion find(int rkey);

  /** {@link dev.verbena.verbs.Access} bits that requests may need. */
  int access();
}
