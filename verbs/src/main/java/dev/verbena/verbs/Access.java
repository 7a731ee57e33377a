package dev.verbena.verbs;

/**
 * Access rights of memory regions, memory windows and queue pairs (enum ibv_access_flags). Local
 * read is always granted.
 */
public final class Access {
  /** The device may write for local requests: receives, READ and atomic results. */
  public static final int LOCAL_WRITE = 1;

  /** Peers may write; needs LOCAL_WRITE on a region. */
  public static final int REMOTE_WRITE = 1 << 1;

  /** Peers may read. */
  public static final int REMOTE_READ = 1 << 2;

  /** Peers may run atomics; needs LOCAL_WRITE on a region. */
  public static final int REMOTE_ATOMIC = 1 << 3;

  /** Memory windows may be bound. */
  public static final int MW_BIND = 1 << 4;

  /** Addresses are offsets from the start. */
  public static final int ZERO_BASED = 1 << 5;

  /** On-demand paging. */
  public static final int ON_DEMAND = 1 << 6;

  /** Huge pages; with ON_DEMAND only. */
  public static final int HUGETLB = 1 << 7;

  /** Peers may flush to global visibility. */
  public static final int FLUSH_GLOBAL = 1 << 8;

  /** Peers may flush to persistence. */
  public static final int FLUSH_PERSISTENT = 1 << 9;

  /** Optional: writes may be reordered; dropped by devices that do not know it. */
  public static final int RELAXED_ORDERING = 1 << 20;

  /** The optional bits 20 to 29: an unsupported one is dropped, never an error. */
  public static final int OPTIONAL_RANGE = 0x3ff00000;

  /** The given rights in one word. */
  public static int of(int... flags) {
    return Flags.or(flags);
  }

  /** These rights, plus LOCAL_WRITE if one of them needs it on a region. */
  static int withLocalWrite(int access) {
    return (access & (REMOTE_WRITE | REMOTE_ATOMIC)) == 0 ? access : access | LOCAL_WRITE;
  }

  private Access() {}
}
