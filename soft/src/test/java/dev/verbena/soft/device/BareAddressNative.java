package dev.verbena.soft.device;

import java.lang.foreign.MemorySegment;

/** Creates segments at addresses that the test chooses. */
@SuppressWarnings("restricted")
public final class BareAddressNative {
  /** A segment of this many bytes at an address, whether there is memory or not. */
  public static MemorySegment at(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  private BareAddressNative() {}
}
