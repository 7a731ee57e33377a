package dev.verbena.tck.torture;

import dev.verbena.verbs.ConnectionData;
import java.lang.foreign.MemorySegment;

/** Memory of a target in this process, by its address. */
@SuppressWarnings("restricted")
final class TargetMemoryNative {
  static MemorySegment of(ConnectionData target) {
    return MemorySegment.ofAddress(target.addr()).reinterpret(target.length());
  }

  private TargetMemoryNative() {}
}
