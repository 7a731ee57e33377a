package dev.verbena.soft.queue;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a completion queue, in order of arrival. Grows up to its capacity, so that a large
 * one that is never filled costs little (S6.1). All under one guard; whoever polls an entry sees
 * what was written before it was added.
 */
public final class CompletionRing {
  private static final VarHandle HEAD;
  private static final VarHandle TAIL;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HEAD = lookup.findVarHandle(CompletionRing.class, "head", long.class);
      TAIL = lookup.findVarHandle(CompletionRing.class, "tail", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int FIRST_SIZE = 64;

  /** What the owner of a ring is told; called under the ring's guard. */
  public interface Listener {
    /** An entry was added while an event was asked for. */
    void completed();

    /** An entry did not fit; told once (S6.3). */
    void overrun();
  }

  private enum Armed {
    NO,
    SOLICITED,
    ANY
  }

  private final Guard guard;
  private final Listener listener;
  private int capacity;
  private WorkCompletion[] entries;
  private @Nullable SendQueue[] owners;
  private long[] requests;
  private Armed armed = Armed.NO;
  private boolean overrun;

  // Read without the guard by isEmpty(): a stale answer costs one more poll.
  private long head;
  private long tail;

  /**
   * @param capacity most entries
   * @param guard held during every change
   * @param listener told of events and of an overrun
   */
  public CompletionRing(int capacity, Guard guard, Listener listener) {
    this.capacity = capacity;
    this.guard = guard;
    this.listener = listener;
    int size = Math.min(capacity, FIRST_SIZE);
    entries = newEntries(size);
    owners = new @Nullable SendQueue[size];
    requests = new long[size];
  }

  /** Most entries. */
  public int capacity() {
    return capacity;
  }

  /**
   * Adds an entry, of which a copy is kept.
   *
   * @param entry what to report
   * @param solicited whether it belongs to a message that asked for an event
   * @param owner send queue whose slots up to {@code request} are free once the entry was polled;
   *     null for a receive
   * @param request number of the request in {@code owner}
   * @return false if the queue has overrun: the queue pair must fail
   */
  public boolean add(
      WorkCompletion entry, boolean solicited, @Nullable SendQueue owner, long request) {
    guard.enter();
    try {
      if (overrun) {
        return false;
      }
      if (tail - head == capacity) {
        overrun = true;
        listener.overrun();
        return false;
      }
      if (tail - head == entries.length) {
        grow();
      }
      int slot = (int) (tail % entries.length);
      entries[slot].set(entry);
      owners[slot] = owner;
      requests[slot] = request;
      TAIL.setRelease(this, tail + 1);
      if (armed == Armed.ANY || (armed == Armed.SOLICITED && (solicited || !entry.isSuccess()))) {
        armed = Armed.NO;
        listener.completed();
      }
      return true;
    } finally {
      guard.exit();
    }
  }

  /**
   * Takes up to {@code most} entries.
   *
   * @return how many
   */
  public int poll(int most, WorkCompletion[] into) {
    if (isEmpty()) {
      return 0;
    }
    guard.enter();
    try {
      int count = (int) Math.min(most, tail - head);
      // First, so that an entry is never taken by a call that fails.
      for (int i = 0; i < count; i++) {
        if (into[i] == null) {
          throw new VerbsException("poll", Errno.EINVAL, "wc[" + i + "] is null");
        }
      }
      for (int i = 0; i < count; i++) {
        take(into[i]);
      }
      return count;
    } finally {
      guard.exit();
    }
  }

  /** Takes one entry; false if there is none. */
  public boolean poll(WorkCompletion into) {
    if (isEmpty()) {
      return false;
    }
    guard.enter();
    try {
      if (tail == head) {
        return false;
      }
      take(into);
      return true;
    } finally {
      guard.exit();
    }
  }

  /** Whether there is no entry; may be out of date at once. */
  public boolean isEmpty() {
    return (long) TAIL.getAcquire(this) == (long) HEAD.getOpaque(this);
  }

  /** Whether an entry was lost. Entries from before can still be taken. */
  public boolean isOverrun() {
    guard.enter();
    try {
      return overrun;
    } finally {
      guard.exit();
    }
  }

  /** Asks for an event with the next entry; "any" is not weakened by "solicited" (S6.6). */
  public void arm(boolean solicitedOnly) {
    guard.enter();
    try {
      if (!solicitedOnly) {
        armed = Armed.ANY;
      } else if (armed == Armed.NO) {
        armed = Armed.SOLICITED;
      }
    } finally {
      guard.exit();
    }
  }

  /**
   * Changes the capacity and keeps all entries.
   *
   * @return false, with nothing changed, if more entries wait than would fit
   */
  public boolean resize(int newCapacity) {
    guard.enter();
    try {
      if (tail - head > newCapacity) {
        return false;
      }
      capacity = newCapacity;
      if (entries.length > newCapacity) {
        relocate(newCapacity);
      }
      return true;
    } finally {
      guard.exit();
    }
  }

  private void take(WorkCompletion into) {
    int slot = (int) (head % entries.length);
    into.set(entries[slot]);
    SendQueue owner = owners[slot];
    if (owner != null) {
      owner.reclaim(requests[slot]);
      owners[slot] = null;
    }
    HEAD.setRelease(this, head + 1);
  }

  private void grow() {
    relocate((int) Math.min(capacity, entries.length * 2L));
  }

  private void relocate(int size) {
    WorkCompletion[] newEntries = newEntries(size);
    @Nullable SendQueue[] newOwners = new @Nullable SendQueue[size];
    long[] newRequests = new long[size];
    for (long number = head; number < tail; number++) {
      int from = (int) (number % entries.length);
      int to = (int) (number % size);
      newEntries[to] = entries[from];
      newOwners[to] = owners[from];
      newRequests[to] = requests[from];
    }
    entries = newEntries;
    owners = newOwners;
    requests = newRequests;
  }

  private static WorkCompletion[] newEntries(int size) {
    WorkCompletion[] entries = new WorkCompletion[size];
    Arrays.setAll(entries, i -> new WorkCompletion());
    return entries;
  }
}
