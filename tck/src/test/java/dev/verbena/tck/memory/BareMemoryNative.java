package dev.verbena.tck.memory;

import java.lang.foreign.MemorySegment;

/** Memory of a kind unknown to Java. */
@SuppressWarnings("restricted")
final class BareMemoryNative {
  /** The same memory, which no longer shows that it is a mapped file. */
  static MemorySegment of(MemorySegment mapped) {
    return mapped.reinterpret(mapped.byteSize());
  }

  private BareMemoryNative() {}
}
