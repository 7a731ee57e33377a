package dev.verbena.tck.memory;

import java.lang.foreign.MemorySegment;

/** Memory of which Java does not know what it is. */
@SuppressWarnings("restricted")
final class BareMemoryNative {
  /** The same memory, which does not say any more that it is a mapped file. */
  static MemorySegment of(MemorySegment mapped) {
    return mapped.reinterpret(mapped.byteSize());
  }

  private BareMemoryNative() {}
}
