package dev.verbena.soft.queue;

import dev.verbena.soft.memory.ScatterGather;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The ring of receives of a queue pair, strictly first in, first out (S3.1.6). The poster works
 * under the post guard, the responder under its own; a slot becomes free when the responder is done
 * with it.
 */
public final class RecvQueue implements RecvRing {
  private static final VarHandle TAIL;
  private static final VarHandle HEAD;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TAIL = lookup.findVarHandle(RecvQueue.class, "tail", long.class);
      HEAD = lookup.findVarHandle(RecvQueue.class, "head", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final @Nullable RecvWqe[] slots;
  private final int maxSge;

  @SuppressWarnings("unused") // through TAIL
  private long tail;

  @SuppressWarnings("unused") // through HEAD
  private long head;

  /** Here, as each poster looks at it. */
  private volatile boolean awaited;

  /**
   * @param capacity most receives
   * @param maxSge most elements of one
   */
  public RecvQueue(int capacity, int maxSge) {
    slots = new @Nullable RecvWqe[capacity];
    this.maxSge = maxSge;
  }

  @Override
  public int capacity() {
    return slots.length;
  }

  @Override
  public int free() {
    return slots.length - (int) ((long) TAIL.get(this) - (long) HEAD.getAcquire(this));
  }

  @Override
  public RecvWqe claim(int ahead) {
    return slot((long) TAIL.get(this) + ahead);
  }

  @Override
  public void publish(int count) {
    TAIL.setRelease(this, (long) TAIL.get(this) + count);
  }

  /** Responder: the oldest receive, which stays in the queue; null if there is none. */
  public @Nullable RecvWqe peek() {
    long first = (long) HEAD.get(this);
    return first == (long) TAIL.getAcquire(this) ? null : slot(first);
  }

  /** Responder: how many receives are posted. */
  int posted() {
    return (int) ((long) TAIL.getAcquire(this) - (long) HEAD.get(this));
  }

  /** Responder: sets whether its peer waits for the next receive. */
  void awaited(boolean whether) {
    awaited = whether;
  }

  /** Whether the responder's peer waits for the next receive. */
  boolean isAwaited() {
    return awaited;
  }

  /** Responder: is done with the oldest receive. */
  public void remove() {
    HEAD.setRelease(this, (long) HEAD.get(this) + 1);
  }

  /** Forgets all receives; the caller holds the post and the responder guard. */
  public void reset() {
    HEAD.setRelease(this, (long) TAIL.get(this));
  }

  private RecvWqe slot(long number) {
    int index = (int) (number % slots.length);
    RecvWqe wqe = slots[index];
    if (wqe == null) {
      wqe = new RecvWqe(new ScatterGather(maxSge, null));
      slots[index] = wqe;
    }
    return wqe;
  }
}
