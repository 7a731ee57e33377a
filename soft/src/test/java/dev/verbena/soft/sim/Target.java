package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** Memory that one lane may change, with its expected contents. */
final class Target {
  static final int BYTES = 32 * 1024;

  private final Side owner;
  // Outlives its registration, which may end at any time.
  private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 4096);
  private final Shadow shadow = new Shadow(BYTES);
  private final WindowModel window;
  private MemoryRegion region;

  Target(Side owner, MwType windowType) {
    this.owner = owner;
    region = owner.newTarget(memory);
    window = new WindowModel(owner, windowType);
    owner.add(this);
  }

  /** A window on it. */
  WindowModel window() {
    return window;
  }

  MemorySegment memory() {
    return memory;
  }

  MemoryRegion region() {
    return region;
  }

  Shadow shadow() {
    return shadow;
  }

  /** A place in it, by the key of the whole. */
  Remote at(int offset) {
    return new Remote(region.rkey(), region.addr(), offset);
  }

  /** A place for this many bytes, by the key of the whole or of a window. */
  Remote at(int offset, int length, Dice dice) {
    return window.covers(offset, length) && dice.isEven() ? window.at(this, offset) : at(offset);
  }

  /** Registers it again if it is not registered. */
  void register() {
    window.replace();
    if (region.isClosed()) {
      region = owner.newTarget(memory);
    }
  }

  /** Checks that the registration cannot end while a window is bound to it. */
  void checkHeldByWindow() {
    if (window.isBound()) {
      assertThatThrownBy(region::dereg)
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
    }
    window.replace();
  }

  /** Ends the registration; returns the contents of the memory, which are then final. */
  Shadow deregister() {
    region.dereg();
    return snapshot();
  }

  /** The present contents of the memory. */
  Shadow snapshot() {
    Shadow now = new Shadow(BYTES);
    now.adopt(memory);
    return now;
  }

  /** A request was executed. */
  void apply(Op op) {
    shadow.apply(op.changeOf(shadow));
  }

  /** Checks, with nothing under way, that the memory matches the model. */
  void checkSettled() {
    assertThat(shadow.firstDifference(memory)).as("first difference of the target").isEqualTo(-1);
  }

  /**
   * Checks that a part of the memory matches the model, except for what later requests store in it.
   */
  void checkArrived(int offset, int length, Collection<Op> later) {
    Shadow ahead = shadow.copy();
    BitSet mayDiffer = new BitSet();
    for (Op op : later) {
      Change change = op.isRefused() ? Change.NONE : op.changeOf(ahead);
      ahead.apply(change);
      mayDiffer.set(change.offset(), change.offset() + change.bytes().length);
    }
    for (int i = offset; i < offset + length; i++) {
      if (!mayDiffer.get(i) && memory.get(ValueLayout.JAVA_BYTE, i) != shadow.get(i)) {
        throw new AssertionError("byte " + i + " of the target has not arrived");
      }
    }
  }

  /** Checks that the memory has not changed since. */
  void checkUntouchedSince(Shadow last) {
    assertThat(last.firstDifference(memory)).as("first byte touched since").isEqualTo(-1);
  }

  /**
   * Checks that the memory results from the first of these requests, perhaps with one more in part,
   * and from no others. Then adopts its contents.
   */
  void settle(List<Op> uncertain) {
    Shadow before = shadow.copy();
    for (Op op : uncertain) {
      Change change = op.isRefused() ? Change.NONE : op.changeOf(before);
      if (before.explains(memory, change)) {
        shadow.adopt(memory);
        return;
      }
      assertThat(op.isRefused()).as("a refused request changed the target: %s", op).isFalse();
      before.apply(change);
    }
    assertThat(before.firstDifference(memory))
        .as("first difference of the target that no prefix of %s explains", uncertain)
        .isEqualTo(-1);
    shadow.adopt(memory);
  }

  /**
   * Checks that the memory results from any of these requests, in this order, each of which may
   * have stored any part of its data. Then adopts its contents.
   *
   * @param whole says which were stored whole
   */
  void settle(Deque<Op> stores, Predicate<Op> whole) {
    byte[] found = memory.toArray(ValueLayout.JAVA_BYTE);
    BitSet settled = new BitSet();
    BitSet explained = new BitSet();
    for (Iterator<Op> latest = stores.descendingIterator(); latest.hasNext(); ) {
      Op op = latest.next();
      Change change = op.changeOf(shadow);
      for (int i = 0; i < change.bytes().length; i++) {
        int at = change.offset() + i;
        if (!settled.get(at) && found[at] == change.bytes()[i]) {
          explained.set(at);
        }
      }
      if (whole.test(op)) {
        settled.set(change.offset(), change.offset() + change.bytes().length);
      }
    }
    for (int i = 0; i < BYTES; i++) {
      boolean old = !settled.get(i) && found[i] == shadow.get(i);
      if (!old && !explained.get(i)) {
        throw new AssertionError("nothing explains byte " + i + " of the target");
      }
    }
    shadow.adopt(memory);
  }
}
