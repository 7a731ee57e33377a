package dev.verbena.soft.memory;

import java.lang.foreign.MemorySegment;

/** A registration: memory of the application, or a null region. */
public sealed interface Registration extends Keyed permits Region, NullRegion {
  /** Key for local use. */
  int lkey();

  /** Key for peers. */
  int rkey();

  /** Identity of the protection domain. */
  Domain domain();

  /** {@link dev.verbena.verbs.Access} bits. */
  int access();

  /** Address of the first byte in work requests. */
  long base();

  /** Bytes. */
  long length();

  /** The memory. */
  MemorySegment memory();
}
