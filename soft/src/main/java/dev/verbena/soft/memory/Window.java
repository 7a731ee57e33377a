package dev.verbena.soft.memory;

import org.jspecify.annotations.Nullable;

/**
 * A memory window (S5.3). What it is bound to looks to a peer like a region of its own: an
 * immutable {@link Region} that a bind puts in place and an invalidation takes away. Changed by
 * {@link Windows} only.
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

  /** Key that it was allocated with; all its keys differ from it in the low 8 bits only. */
  public int firstKey() {
    return firstKey;
  }

  /** The key with this tag, of which the low 8 bits count (S5.3.4). */
  public int key(int tag) {
    return (firstKey & ~TAG) | (tag & TAG);
  }

  /** Whether it is bound by work requests and can be invalidated. */
  public boolean isType2() {
    return type2;
  }

  /** What stands for the object that the application has; it need not keep it. */
  public Object holder() {
    return holder;
  }

  Domain domain() {
    return domain;
  }

  /** What the key stands for, or null if it is not the present one or the window is not bound. */
  @Nullable Region bound(int rkey) {
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
