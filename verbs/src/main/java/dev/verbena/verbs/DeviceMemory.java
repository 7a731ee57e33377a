package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;

/**
 * Memory of the adapter itself (struct ibv_dm), which peers and the adapter's own requests reach
 * without crossing the bus. The process has no address of it: it copies, or registers it ({@link
 * ProtectionDomain#regDmMr}) and moves data by work requests. It begins with whatever was left
 * there.
 */
public interface DeviceMemory extends AutoCloseable {
  /** The context. */
  Context context();

  /** Bytes, as asked for; the adapter may have taken more. */
  long length();

  /**
   * Copies memory of the process to it (ibv_memcpy_to_dm). Copies of several threads are made one
   * after the other.
   *
   * @param dmOffset of the first byte in this memory; adapters want a multiple of 4
   * @param source any segment that the calling thread may read, also of the heap; adapters want a
   *     number of bytes that is a multiple of 4, which may be 0
   * @throws VerbsException EINVAL if {@code source} does not fit there, is of an arena that is
   *     closed or another thread's, or for whatever the adapter does not copy
   */
  void memcpyTo(long dmOffset, MemorySegment source);

  /**
   * Copies it to memory of the process (ibv_memcpy_from_dm).
   *
   * @param target any segment that the calling thread may write, also of the heap, all of which is
   *     filled; adapters want a number of bytes that is a multiple of 4, which may be 0
   * @param dmOffset of the first byte in this memory; adapters want a multiple of 4
   * @throws VerbsException EINVAL if this memory does not have as many bytes there, {@code target}
   *     is read-only or of an arena that is closed or another thread's, or for whatever the adapter
   *     does not copy
   */
  void memcpyFrom(MemorySegment target, long dmOffset);

  /**
   * Frees it (ibv_free_dm).
   *
   * @throws VerbsException EBUSY while a region is registered in it
   */
  void free();

  /** Whether it was freed. */
  boolean isClosed();

  /**
   * Frees it; does nothing if it is already closed.
   *
   * @throws VerbsException EBUSY while a region is registered in it
   */
  @Override
  void close();
}
