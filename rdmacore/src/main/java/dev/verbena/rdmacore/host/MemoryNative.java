package dev.verbena.rdmacore.host;

import java.lang.foreign.MemorySegment;

/** The memory of this process. */
@SuppressWarnings("restricted")
final class MemoryNative {
  /** The whole address space: offsets are addresses. */
  static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private MemoryNative() {}
}
