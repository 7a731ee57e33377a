package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.verbs.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A region of a protection domain that stands in where a request to bind a window names none, as it
 * may: rxe's driver looks for the key of the region all the same, at whatever address it finds. It
 * is registered with the first window of the domain, so that posting registers nothing.
 */
final class SpareRegion {
  private static final String VERB = "allocMw";
  private static final int BYTES = 8;

  private final Handle pd;
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment memory = arena.allocate(BYTES, BYTES);
  private volatile long struct;

  /**
   * @param pd its domain
   */
  SpareRegion(Handle pd) {
    this.pd = pd;
  }

  /** Its struct, or 0 if the domain has had no window. */
  long struct() {
    return struct;
  }

  /** Registers it if it is not. */
  synchronized void register() {
    if (struct == 0) {
      try (Handle.Use use = pd.use(VERB)) {
        int access = Access.LOCAL_WRITE | Access.MW_BIND;
        struct =
            Functions.REG_MR
                .call(VERB, use.address(), memory.address(), BYTES, access)
                .locking()
                .pointer(VERB, "a region for windows that are unbound");
      }
    }
  }

  /** Ends it, before its domain does. */
  synchronized void end() {
    long last = struct;
    struct = 0;
    if (last != 0) {
      Functions.DEREG_MR.call(VERB, last).orThrow(VERB, "to end a region");
    }
  }
}
