package dev.verbena.soft.queue;

import dev.verbena.soft.memory.ScatterGather;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The ring of send work requests of a queue pair. Requests are numbered from 0, without end. The
 * poster, under the post guard, claims slots after the tail and publishes them; the requester,
 * under its guard, completes them at the head. As with adapters, a slot can be claimed again when
 * its completion or a later one has been polled (S1.5.3), so exactly as many requests as the
 * capacity can be posted without polling (S1.3.4).
 */
public final class SendQueue extends Apart {
  private static final VarHandle TAIL;
  private static final VarHandle RECLAIMED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TAIL = lookup.findVarHandle(SendQueue.class, "tail", long.class);
      RECLAIMED = lookup.findVarHandle(SendQueue.class, "reclaimed", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int capacity;

  /** A power of two, so that no request pays for a division. */
  private final @Nullable SendWqe[] slots;

  private final int maxSge;
  private final int maxInline;
  private final int maxTsoHeader;

  /** Requester: number of the oldest incomplete request; {@link #tail()} if there is none. */
  public long head;

  @SuppressWarnings("unused") // through TAIL
  private long tail;

  @SuppressWarnings("unused") // through RECLAIMED
  private long reclaimed;

  /**
   * @param capacity most requests
   * @param maxSge most elements of one
   * @param maxInline most bytes of inline data of one
   */
  public SendQueue(int capacity, int maxSge, int maxInline) {
    this(capacity, maxSge, maxInline, 0);
  }

  /**
   * @param capacity most requests
   * @param maxSge most elements of one
   * @param maxInline most bytes of inline data of one
   * @param maxTsoHeader most bytes of a TSO header; 0 if there are no TSO requests
   */
  public SendQueue(int capacity, int maxSge, int maxInline, int maxTsoHeader) {
    this.capacity = capacity;
    slots = new @Nullable SendWqe[Rings.size(capacity)];
    this.maxSge = maxSge;
    this.maxInline = maxInline;
    this.maxTsoHeader = maxTsoHeader;
  }

  /** Most requests. */
  public int capacity() {
    return capacity;
  }

  /** Poster: how many more requests can be claimed. */
  public int free() {
    return capacity - (int) ((long) TAIL.get(this) - (long) RECLAIMED.getAcquire(this));
  }

  /**
   * Poster: whether the last requests, as many as fit, are all unsignaled, so that no completion of
   * a success frees a slot.
   *
   * @param ahead how many claimed slots are not yet published; with them, the queue is full
   */
  public boolean isUnsignaled(int ahead) {
    long next = (long) TAIL.get(this) + ahead;
    for (int back = 1; back <= capacity; back++) {
      if (get(next - back).signaled) {
        return false;
      }
    }
    return true;
  }

  /**
   * Poster: the slot {@code ahead} places after the last published one; {@code ahead} is below
   * {@link #free()}.
   */
  public SendWqe claim(int ahead) {
    return get((long) TAIL.get(this) + ahead);
  }

  /** Poster: publishes the next {@code count} slots to the requester. */
  public void publish(int count) {
    TAIL.setRelease(this, (long) TAIL.get(this) + count);
  }

  /** Number of the next request to be published: one past the last one. */
  public long tail() {
    return (long) TAIL.getAcquire(this);
  }

  /** Requester: the request with this number, between head and tail. */
  public SendWqe get(long number) {
    int index = (int) number & (slots.length - 1);
    SendWqe wqe = slots[index];
    return wqe == null ? make(index) : wqe;
  }

  private SendWqe make(int index) {
    // ATOMIC_WRITE keeps its value here, even with less inline data.
    byte[] inline = new byte[Math.max(maxInline, Long.BYTES)];
    TsoTemplate tso = maxTsoHeader == 0 ? null : new TsoTemplate(maxTsoHeader);
    SendWqe wqe = new SendWqe(new ScatterGather(maxSge, MemorySegment.ofArray(inline)), tso);
    slots[index] = wqe;
    return wqe;
  }

  /** Requester: the request with this number from head on, or null if it is not yet published. */
  public @Nullable SendWqe published(long number) {
    return number == (long) TAIL.getAcquire(this) ? null : get(number);
  }

  /** Requester: the oldest request is complete. */
  public void advanceHead() {
    head++;
  }

  /**
   * Poller: a completion of request {@code number} was taken, so all slots up to it can be claimed
   * again.
   */
  public void reclaim(long number) {
    // A completion from before a reset is older than what the reset reclaims, perhaps concurrently.
    long present = (long) RECLAIMED.getOpaque(this);
    while (number + 1 > present && !RECLAIMED.compareAndSet(this, present, number + 1)) {
      present = (long) RECLAIMED.getOpaque(this);
    }
  }

  /**
   * Forgets all requests; the caller holds the post and the requester guard, and no completion is
   * being polled.
   */
  public void reset() {
    head = (long) TAIL.get(this);
    RECLAIMED.setRelease(this, head);
  }
}
