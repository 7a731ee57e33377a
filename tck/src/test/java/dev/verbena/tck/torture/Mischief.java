package dev.verbena.tck.torture;

import dev.verbena.verbs.WcStatus;

/**
 * What a target, or the poster, does to itself while a batch is under way. The script draws it, so
 * that the other end knows which errors are right.
 */
enum Mischief {
  /** It deregisters the memory, which must then not change any more. */
  DEREGISTER(WcStatus.REM_ACCESS_ERR),
  /** It closes the arena of the memory, which stays registered. */
  ARENA(WcStatus.REM_ACCESS_ERR),
  /** It truncates the file that the memory is mapped from. */
  FILE(WcStatus.REM_ACCESS_ERR),
  /** It truncates that file by half; what is left must stay right. */
  HALF_FILE(WcStatus.REM_ACCESS_ERR),
  /** It deregisters the memory of posted receives. */
  RECEIVES(WcStatus.REM_OP_ERR),
  /** It invalidates the window that the batch uses, and would invalidate itself. */
  WINDOW(WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR),
  /** Nothing: the batch itself invalidates its window half-way, and goes on using its key. */
  STALE_KEY(WcStatus.REM_ACCESS_ERR),
  /** It moves its queue pair to ERR, and says nothing. */
  GIVE_UP(WcStatus.RETRY_EXC_ERR),
  /** The poster closes the arena of the memory that it sends from and reads into. */
  LOCAL_ARENA(WcStatus.LOC_PROT_ERR),
  /** The poster truncates the file that this memory is mapped from. */
  LOCAL_FILE(WcStatus.LOC_PROT_ERR);

  private final WcStatus failure;
  private final WcStatus otherFailure;

  Mischief(WcStatus failure) {
    this(failure, failure);
  }

  Mischief(WcStatus failure, WcStatus otherFailure) {
    this.failure = failure;
    this.otherFailure = otherFailure;
  }

  /**
   * Whether a batch may fail this way.
   *
   * @param answerMayBeLost whether what told of the peer's error may have been lost, which is
   *     followed by silence
   */
  boolean explains(WcStatus status, boolean answerMayBeLost) {
    return status == failure
        || status == otherFailure
        || (answerMayBeLost && !isOfPoster() && status == WcStatus.RETRY_EXC_ERR);
  }

  /** Whether the poster does it to memory of its own. */
  boolean isOfPoster() {
    return this == LOCAL_ARENA || this == LOCAL_FILE;
  }

  /** Whether the target does it, and not the batch or the poster. */
  boolean isOfTarget() {
    return this != STALE_KEY && !isOfPoster();
  }

  /** Whether the target loses the word of the atomics. */
  boolean losesWord() {
    return this == ARENA || this == FILE || this == HALF_FILE;
  }

  /** Whether the batch reaches the memory by a window. */
  boolean needsWindow() {
    return this == WINDOW || this == STALE_KEY;
  }

  /** Whether only an RC target can do it: with a send queue, and receives of its own. */
  boolean needsRc() {
    return needsWindow() || this == RECEIVES;
  }
}
