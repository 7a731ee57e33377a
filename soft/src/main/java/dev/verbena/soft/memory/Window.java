package dev.verbena.soft.memory;

import org.jspecify.annotations.Nullable;

/**
 * A memory window (S5.3). A peer sees its binding as a separate region: an immutable {@link Region}
 * that a bind sets and an invalidation removes. Only {@link Windows} changes it.
 */
public final class Window implements Keyed {
  private static final int TAG = 0xff;

  private final int firstKey;
  private final boolean type2;
  private final Domain domain;
  private final Object holder;
  private volatile @Nullable Region bound;

  // Under the lock of Windows.
  private int target;
  private boolean freed;

  Window(int firstKey, boolean type2, Domain domain, Object holder) {
    this.firstKey = firstKey;
    this.type2 = type2;
    this.domain = domain;
    this.holder = holder;
  }

  /** The key from its allocation; its other keys differ from it in the low 8 bits only. */
  public int firstKey() {
    return firstKey;
  }

  /** The key with this tag; the low 8 bits of the tag count (S5.3.4). */
  public int key(int tag) {
    return (firstKey & ~TAG) | (tag & TAG);
  }

  /** Whether work requests bind it and can invalidate it. */
  public boolean isType2() {
    return type2;
  }

  /** Represents the application's object, without necessarily keeping it reachable. */
  public Object holder() {
    return holder;
  }

  Domain domain() {
    return domain;
  }

  /**
   * The binding for the key, or null if the key is not the current one or the window is not bound.
   */
  @Nullable Region boundBy(int rkey) {
    Region present = bound;
    return present != null && present.rkey() == rkey ? present : null;
  }

  @Nullable Region bound() {
    return bound;
  }

  /** The lkey of the region to which it is bound. */
  int target() {
    return target;
  }

  void bind(Region part, int targetLkey) {
    target = targetLkey;
    bound = part;
  }

  void unbind() {
    bound = null;
  }

  boolean isFreed() {
    return freed;
  }

  void free() {
    freed = true;
  }
}
