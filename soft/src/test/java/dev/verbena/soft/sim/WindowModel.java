package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Keys;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;

/** A type 2 memory window on a part of a target, with a model of who may use it, and when. */
final class WindowModel {
  private enum State {
    FREE,
    BINDING,
    BOUND,
    INVALIDATING
  }

  private static final int RIGHTS = Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

  private final Side owner;
  private MemoryWindow mw;
  private State state = State.FREE;
  private int key;
  private int offset;
  private int length;
  private boolean zeroBased;
  private boolean wasBound;

  WindowModel(Side owner) {
    this.owner = owner;
    mw = owner.pd().allocMw(MwType.TYPE_2);
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

  /** Whether its key was valid, and no longer is. */
  boolean hasStaleKey() {
    return isFree() && wasBound;
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

  /** The first byte after the window, by its key. */
  Remote behind(Target target) {
    return at(target, offset + length);
  }

  /** Chooses a part of the target, and a new key. */
  MwBindInfo bind(Target target, Dice dice) {
    state = State.BINDING;
    key = Keys.incRkey(key);
    offset = Long.BYTES * dice.below(8);
    length = Target.BYTES / 2 + dice.below(Target.BYTES / 2 - offset);
    zeroBased = dice.isEven();
    int access = RIGHTS | (zeroBased ? Access.ZERO_BASED : 0);
    return new MwBindInfo(target.region(), target.region().addr() + offset, length, access);
  }

  /** The bind has completed. */
  void bound() {
    assertThat(state).isEqualTo(State.BINDING);
    state = State.BOUND;
    wasBound = true;
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
  }

  /** Frees it, bound or not, and creates another one; the old key must then be invalid. */
  void replace() {
    mw.dealloc();
    mw = owner.pd().allocMw(MwType.TYPE_2);
    key = mw.rkey();
    state = State.FREE;
    wasBound = false;
  }
}
