package dev.verbena.soft.device;

import java.lang.foreign.MemorySegment;

/** Segments that claim memory at addresses of the test's choice. */
@SuppressWarnings("restricted")
public final class BareAddressNative {
  /** So many bytes at an address, whether there is memory or not. */
  public static MemorySegment at(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  private BareAddressNative() {}
}
