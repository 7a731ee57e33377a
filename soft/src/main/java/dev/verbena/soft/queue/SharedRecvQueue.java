package dev.verbena.soft.queue;

import dev.verbena.soft.memory.ScatterGather;
import org.jspecify.annotations.Nullable;

/**
 * Receives for several queue pairs, strictly first in, first out (S3.4). Everything happens under
 * one guard, because there are many posters and responders. A taken receive belongs to the queue
 * pair that took it, which leaves a spare one in its slot, so nothing is allocated or copied.
 */
public final class SharedRecvQueue implements RecvRing {
  /** Notifies the owner of a queue; called under the queue's guard. */
  @FunctionalInterface
  public interface Listener {
    /** There are fewer posted receives than the limit, which is now disarmed (S3.4.5). */
    void limitReached();
  }

  private final Guard guard;
  private final Listener listener;
  private final int maxSge;
  private int capacity;

  /** As many as the capacity, or more, because a receive that is put back always fits. */
  private @Nullable RecvWqe[] slots;

  private long head;
  private long tail;
  private int limit;

  /**
   * @param capacity most receives
   * @param maxSge most elements of one
   * @param guard held during every access
   * @param listener notified when the limit is reached
   */
  public SharedRecvQueue(int capacity, int maxSge, Guard guard, Listener listener) {
    this.capacity = capacity;
    slots = new @Nullable RecvWqe[capacity];
    this.maxSge = maxSge;
    this.guard = guard;
    this.listener = listener;
  }

  /**
   * Enters the guard for posting, reading or changing; the methods that do not enter it themselves
   * need it.
   */
  public void enter() {
    guard.enter();
  }

  /** Ends {@link #enter}. */
  public void exit() {
    guard.exit();
  }

  @Override
  public int capacity() {
    return capacity;
  }

  /** The most elements of a receive; any thread may call this. */
  public int maxSge() {
    return maxSge;
  }

  /** The number of posted receives that have not been taken. */
  public int size() {
    return (int) (tail - head);
  }

  @Override
  public int free() {
    return Math.max(0, capacity - size());
  }

  @Override
  public RecvWqe claim(int ahead) {
    int index = index(tail + ahead);
    RecvWqe wqe = slots[index];
    if (wqe == null) {
      wqe = newSpare();
      slots[index] = wqe;
    }
    return wqe;
  }

  @Override
  public void publish(int count) {
    tail += count;
  }

  /** The armed limit; 0 if there is none. */
  public int limit() {
    return limit;
  }

  /** Arms the limit, which may already be reached; 0 disarms it. */
  public void arm(int newLimit) {
    limit = newLimit;
    report();
  }

  /** Changes the capacity; the posted receives fit into it. */
  public void resize(int newCapacity) {
    capacity = newCapacity;
    relocate(newCapacity);
  }

  private void relocate(int places) {
    @Nullable RecvWqe[] moved = new @Nullable RecvWqe[places];
    for (long number = head; number < tail; number++) {
      moved[(int) Math.floorMod(number, (long) places)] = slots[index(number)];
    }
    slots = moved;
  }

  /** A spare receive for {@link #take}. Any thread may call this. */
  public RecvWqe newSpare() {
    return new RecvWqe(new ScatterGather(maxSge, null));
  }

  /** Whether nothing is currently posted. Enters the guard itself. */
  boolean isEmpty() {
    guard.enter();
    try {
      return head == tail;
    } finally {
      guard.exit();
    }
  }

  /**
   * Takes the oldest receive. Enters the guard itself.
   *
   * @param spare stays here in its place, unless none is posted
   * @return the receive, or null if none is posted
   */
  @Nullable RecvWqe take(RecvWqe spare) {
    guard.enter();
    try {
      if (head == tail) {
        return null;
      }
      int index = index(head);
      RecvWqe oldest = slots[index];
      slots[index] = spare;
      head++;
      report();
      return oldest;
    } finally {
      guard.exit();
    }
  }

  /**
   * Puts an unused receive from {@link #take} back as the first one. Posters may have filled its
   * place meanwhile, so for a time there may be more receives than the capacity, at most one for
   * each queue pair. Enters the guard itself.
   *
   * @return a spare one for it
   */
  RecvWqe putBack(RecvWqe unused) {
    guard.enter();
    try {
      if (size() == slots.length) {
        relocate(slots.length + 1);
      }
      head--;
      int index = index(head);
      RecvWqe spare = slots[index];
      slots[index] = unused;
      return spare == null ? newSpare() : spare;
    } finally {
      guard.exit();
    }
  }

  /**
   * Describes the number of posted receives and the capacity, for people. Enters the guard itself.
   */
  void dump(StringBuilder text) {
    guard.enter();
    try {
      text.append(size()).append(" of ").append(capacity).append(" posted to the shared queue");
    } finally {
      guard.exit();
    }
  }

  private void report() {
    if (size() < limit) {
      limit = 0;
      listener.limitReached();
    }
  }

  private int index(long number) {
    return (int) Math.floorMod(number, (long) slots.length);
  }
}
