package dev.verbena.verbs;

/**
 * A part of a memory region with a key and rights of its own (struct ibv_mw). A window of type 1 is
 * bound by {@link QueuePair#bindMw} and serves any queue pair of its protection domain. A window of
 * type 2 is bound by a BIND_MW work request and, on a device with {@link
 * DeviceCap#MEM_WINDOW_TYPE_2B}, serves only the peer of the queue pair through which it was bound,
 * until it is invalidated or that queue pair is reset or destroyed. A region to which a window is
 * bound can be neither deregistered nor changed (EBUSY).
 */
public interface MemoryWindow extends AutoCloseable {
  /** The context. */
  Context context();

  /** The protection domain. */
  ProtectionDomain pd();

  /** Type. */
  MwType type();

  /**
   * The key. For type 1, the key of the last bind posted; each bind changes it. For type 2, the key
   * it was allocated with: the BIND_MW work request chooses the key in force, which differs from
   * this one only in the low 8 bits ({@link Keys#incRkey} returns the next).
   */
  int rkey();

  /**
   * Frees the window, unbinding it first (ibv_dealloc_mw). After it returns, no thread of the
   * library touches memory on behalf of its key.
   */
  void dealloc();

  /** Whether it was closed. */
  boolean isClosed();

  /** Frees the window; does nothing if it is already closed. */
  @Override
  void close();
}
