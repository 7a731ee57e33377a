package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a memory window covers (struct ibv_mw_bind_info).
 *
 * @param mr the region it is bound to; null, with address and length 0, unbinds a type 1 window
 * @param addr start of the window, in the region's addresses
 * @param length bytes; 0 unbinds a type 1 window
 * @param mwAccessFlags {@link Access} bits of the window
 */
public record MwBindInfo(@Nullable MemoryRegion mr, long addr, long length, int mwAccessFlags) {}
