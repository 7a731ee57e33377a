package dev.verbena.soft.queue;

import dev.verbena.soft.memory.ScatterGather;
import org.jspecify.annotations.Nullable;

/**
 * Receives that several queue pairs take, strictly first in, first out (S3.4). Everything happens
 * under one guard, for posters and responders are many; a receive that was taken belongs to who
 * took it, who left a spare one in its slot, so nothing is allocated or copied.
 */
public final class SharedRecvQueue implements RecvRing {
  /** What the owner of a queue is told; called under its guard. */
  @FunctionalInterface
  public interface Listener {
    /** Fewer receives are posted than the limit, which is disarmed now (S3.4.5). */
    void limitReached();
  }

  private final Guard guard;
  private final Listener listener;
  private final int maxSge;
  private int capacity;

  /** As many as the capacity, or more, since what is put back always fits. */
  private @Nullable RecvWqe[] slots;

  private long head;
  private long tail;
  private int limit;

  /**
   * @param capacity most receives
   * @param maxSge most elements of one
   * @param guard held during every access
   * @param listener told when the limit is reached
   */
  public SharedRecvQueue(int capacity, int maxSge, Guard guard, Listener listener) {
    this.capacity = capacity;
    slots = new @Nullable RecvWqe[capacity];
    this.maxSge = maxSge;
    this.guard = guard;
    this.listener = listener;
  }

  /** Begins to post, look or change; the methods without a word on the guard need it. */
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

  /** Most elements of a receive; any thread may ask. */
  public int maxSge() {
    return maxSge;
  }

  /** Receives that are posted and that nobody has taken. */
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

  /** The limit that is armed; 0 if none is. */
  public int limit() {
    return limit;
  }

  /** Arms the limit, which may be reached already; 0 disarms it. */
  public void arm(int newLimit) {
    limit = newLimit;
    report();
  }

  /** Changes the capacity, which the receives that are posted do not exceed. */
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

  /** A receive as {@link #take} exchanges it. Any thread may ask for one. */
  public RecvWqe newSpare() {
    return new RecvWqe(new ScatterGather(maxSge, null));
  }

  /** Whether nothing is posted at the moment. Enters the guard itself. */
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
   * Takes a receive back that {@link #take} gave and that was not used: it is the first again.
   * Posters may have filled its place meanwhile: for a time there is one more than the capacity for
   * each queue pair at the most. Enters the guard itself.
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

  /** How many are posted, of how many, for people. Enters the guard itself. */
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
