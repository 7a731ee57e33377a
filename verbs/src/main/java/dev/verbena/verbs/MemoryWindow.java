package dev.verbena.verbs;

/** A part of a memory region with a key and rights of its own (struct ibv_mw; S5.3). */
public interface MemoryWindow extends AutoCloseable {
  /** The context. */
  Context context();

  /** The protection domain. */
  ProtectionDomain pd();

  /** Type. */
  MwType type();

  /** Present key. */
  int rkey();

  /** Frees the window, unbinding it first (ibv_dealloc_mw). */
  void dealloc();

  /** Whether it was closed. */
  boolean isClosed();

  /** As dealloc; nothing if it is closed already. */
  @Override
  void close();
}
