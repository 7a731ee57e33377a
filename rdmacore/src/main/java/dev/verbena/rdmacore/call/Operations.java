package dev.verbena.rdmacore.call;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.VerbsContext;
import java.lang.foreign.MemorySegment;

/**
 * The operations of a device's driver, to which its context points. What the inline functions of
 * verbs.h look for there may be missing.
 */
public final class Operations {
  private static final long IS_EXTENDED = -1;

  private final long context;

  /**
   * @param context a struct ibv_context
   */
  public Operations(long context) {
    this.context = context;
  }

  /** An operation of struct ibv_context, at this offset. */
  public MemorySegment basic(long offset) {
    return MemorySegment.ofAddress(Host.getLong(context + offset));
  }

  /** The same for the control path. */
  public FunctionNative basic(String name, long offset) {
    return FunctionNative.at(name, Host.getLong(context + offset));
  }

  /** An operation of struct verbs_context, which may lack it, at this offset. */
  public FunctionNative extended(String name, long offset) {
    return FunctionNative.at(name, has(offset) ? Host.getLong(start() + offset) : 0);
  }

  /** The struct grows at its start, so its size says which operations it has. */
  private boolean has(long offset) {
    return Host.getLong(context + IbvContext.ABI_COMPAT) == IS_EXTENDED
        && Host.getLong(start() + VerbsContext.SZ) >= VerbsContext.LAYOUT.size() - offset;
  }

  private long start() {
    return context - VerbsContext.CONTEXT;
  }
}
