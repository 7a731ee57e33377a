package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a memory window covers (struct ibv_mw_bind_info).
 *
 * <p>The region must have {@link Access#MW_BIND} and must not be {@link Access#ZERO_BASED}; if the
 * window has REMOTE_WRITE or REMOTE_ATOMIC, it must also have LOCAL_WRITE. It need not have the
 * remote rights that the window grants. If a condition does not hold, if the range is not inside
 * the region, or with rights other than those below, the bind completes with MW_BIND_ERR and the
 * window stays bound as it was.
 *
 * @param mr the region to bind to; null, with address and length 0, unbinds a type 1 window
 * @param addr start of the window, in the region's addresses: from {@link MemoryRegion#addr()} on
 * @param length length in bytes; 0 unbinds a type 1 window, and is MW_BIND_ERR for type 2
 * @param mwAccessFlags {@link Access} bits of the window: REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC,
 *     FLUSH_GLOBAL, FLUSH_PERSISTENT and the optional ones. LOCAL_WRITE is accepted and grants
 *     nothing. ZERO_BASED, for type 2 only, makes the peer's addresses offsets from the start of
 *     the window; for type 1 it is EINVAL
 */
public record MwBindInfo(@Nullable MemoryRegion mr, long addr, long length, int mwAccessFlags) {

  /**
   * A bind to a whole region.
   *
   * @param access {@link Access} bits of the window
   */
  public static MwBindInfo of(MemoryRegion mr, int... access) {
    return new MwBindInfo(mr, mr.addr(), mr.length(), Access.of(access));
  }

  /** The argument that unbinds a type 1 window. */
  public static MwBindInfo unbind() {
    return new MwBindInfo(null, 0, 0, 0);
  }

  @Override
  public String toString() {
    return FieldText.of("mw_bind_info", this, "addr", "mwAccessFlags");
  }
}
