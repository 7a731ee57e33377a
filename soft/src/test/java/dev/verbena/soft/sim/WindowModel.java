package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Keys;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;

/**
 * A memory window on a part of a target, with a model of who may use it, and when. One of type 2
 * belongs to the queue pair that binds it, until it is invalidated. One of type 1 can be bound anew
 * at any time, with another key, and is unbound by a bind.
 */
final class WindowModel {
  private enum State {
    FREE,
    BINDING,
    BOUND,
    INVALIDATING
  }

  private static final int RIGHTS = Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

  private final Side owner;
  private final MwType type;
  private MemoryWindow mw;
  private State state = State.FREE;
  private int key;
  private int lastKey;
  private int staleKey;
  private int offset;
  private int length;
  private boolean zeroBased;

  WindowModel(Side owner, MwType type) {
    this.owner = owner;
    this.type = type;
    mw = owner.pd().allocMw(type);
    key = mw.rkey();
  }

  MemoryWindow mw() {
    return mw;
  }

  int key() {
    return key;
  }

  boolean isFree() {
    return state == State.FREE;
  }

  boolean isBound() {
    return state == State.BOUND;
  }

  /** Whether it is for one queue pair only, and ends by an invalidation. */
  boolean isOwned() {
    return type == MwType.TYPE_2;
  }

  /** Whether it had a key that is no longer valid. */
  boolean hasStaleKey() {
    return staleKey != 0 && !isChanging();
  }

  /** Whether a bind or an invalidation is under way. */
  boolean isChanging() {
    return state == State.BINDING || state == State.INVALIDATING;
  }

  /** Whether a peer may store this many bytes there by its key. */
  boolean covers(int at, int count) {
    return isBound() && at >= offset && at + count <= offset + length;
  }

  /** A place in the target, by the key of the window. */
  Remote at(Target target, int place) {
    return new Remote(key, zeroBased ? -offset : target.region().addr(), place);
  }

  /** The same by a key that is no longer valid. */
  Remote staleAt(Target target, int place) {
    return at(target, place).withRkey(staleKey);
  }

  /** The first byte after the window, by its key. */
  Remote behind(Target target) {
    return at(target, offset + length);
  }

  /** A bind to a part of the target; one of type 2 gets a new key. */
  Op bind(long wrId, Target target, Dice dice) {
    lastKey = isBound() ? key : 0;
    state = State.BINDING;
    offset = Long.BYTES * dice.below(8);
    length = Target.BYTES / 2 + dice.below(Target.BYTES / 2 - offset);
    zeroBased = isOwned() && dice.isEven();
    int access = RIGHTS | (zeroBased ? Access.ZERO_BASED : 0);
    MwBindInfo info =
        new MwBindInfo(target.region(), target.region().addr() + offset, length, access);
    if (isOwned()) {
      key = Keys.incRkey(key);
      return new BindOp(wrId, this, info);
    }
    return new Type1BindOp(wrId, this, info);
  }

  /** The end of its validity, by its owner. */
  Op end(long wrId) {
    invalidating();
    return isOwned()
        ? new LocalInvOp(wrId, this)
        : new Type1BindOp(wrId, this, MwBindInfo.unbind());
  }

  /** The bind of one of type 1 is posted. */
  void rekeyed() {
    assertThat(mw.rkey()).as("new key").isNotEqualTo(key);
    if (state == State.INVALIDATING) {
      staleKey = key;
    }
    key = mw.rkey();
  }

  /** The bind has completed. */
  void bound() {
    assertThat(state).isEqualTo(State.BINDING);
    state = State.BOUND;
    staleKey = lastKey != 0 ? lastKey : staleKey;
  }

  /** An invalidation is posted; later requests must not use its key. */
  void invalidating() {
    assertThat(state).isEqualTo(State.BOUND);
    state = State.INVALIDATING;
  }

  /** The invalidation has completed. */
  void invalidated() {
    assertThat(state).isEqualTo(State.INVALIDATING);
    state = State.FREE;
    staleKey = isOwned() ? key : staleKey;
  }

  /** Frees it, bound or not, and creates another one; the old key must then be invalid. */
  void replace() {
    mw.dealloc();
    mw = owner.pd().allocMw(type);
    key = mw.rkey();
    staleKey = 0;
    state = State.FREE;
  }
}
