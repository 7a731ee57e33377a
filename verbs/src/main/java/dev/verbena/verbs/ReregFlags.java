package dev.verbena.verbs;

/** Selects what {@link MemoryRegion#rereg} changes (enum ibv_rereg_mr_flags). */
public final class ReregFlags {
  /** The memory, and with it the address of its first byte: an iova is dropped. */
  public static final int CHANGE_TRANSLATION = 1;

  /** The protection domain. */
  public static final int CHANGE_PD = 1 << 1;

  /** The access rights; addresses stay as they are. */
  public static final int CHANGE_ACCESS = 1 << 2;

  private ReregFlags() {}
}
