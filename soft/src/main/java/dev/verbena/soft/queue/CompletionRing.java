package dev.verbena.soft.queue;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a completion queue, in order of arrival. It grows up to its capacity, so that a
 * large one that is never filled costs little (S6.1).
 *
 * <p>Adding and polling use separate guards, so neither waits for the other. A thread that polls an
 * entry sees everything written before it was added.
 */
public final class CompletionRing {
  private static final VarHandle HEAD;
  private static final VarHandle TAIL;
  private static final VarHandle ENTRIES;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HEAD = lookup.findVarHandle(CompletionRing.class, "head", long.class);
      TAIL = lookup.findVarHandle(CompletionRing.class, "tail", long.class);
      ENTRIES = lookup.findVarHandle(CompletionRing.class, "entries", CompletionEntry[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int FIRST_SIZE = 64;

  /** Notifies the owner of a ring; called under the guard for adding. */
  public interface Listener {
    /** The requested event is due. */
    void completed();

    /** {@link CompletionRing#expire} must be called at this time. */
    void waitsUntil(long deadline);

    /** An entry did not fit; called once (S6.3). */
    void overrun();

    /** For a ring whose owner needs no notifications. */
    Listener NONE =
        new Listener() {
          @Override
          public void completed() {}

          @Override
          public void waitsUntil(long deadline) {}

          @Override
          public void overrun() {}
        };
  }

  /**
   * Optional features of a ring.
   *
   * @param clock engine time
   * @param stamped whether entries get the time at which they are added
   * @param ignoresOverrun whether an entry that does not fit is lost silently
   */
  public record Options(LongSupplier clock, boolean stamped, boolean ignoresOverrun) {
    /** Neither. */
    public static Options usual(LongSupplier clock) {
      return new Options(clock, false, false);
    }
  }

  private final Guard addGuard;
  private final Guard pollGuard;
  private final LongSupplier clock;
  private final boolean stamped;
  private final boolean ignoresOverrun;
  private final Listener listener;
  private final EventTrigger trigger;

  // Written by adding threads; any thread may read it.
  private volatile int capacity;

  private CompletionEntry[] entries;
  private boolean overrun;

  /** Published by the guard, which then excludes no thread. */
  private volatile boolean closed;

  // Written by the poller, read by adding threads.
  private long head;

  // Written by adding threads, read by the poller.
  private long tail;

  /**
   * @param capacity most entries
   * @param addGuard held while an entry is added
   * @param pollGuard held while entries are taken; {@link Guard#NONE} if only one thread polls at a
   *     time
   * @param options optional features
   * @param listener notified of events and of an overrun
   */
  public CompletionRing(
      int capacity, Guard addGuard, Guard pollGuard, Options options, Listener listener) {
    this.capacity = capacity;
    this.addGuard = addGuard;
    this.pollGuard = pollGuard;
    clock = options.clock();
    stamped = options.stamped();
    ignoresOverrun = options.ignoresOverrun();
    this.listener = listener;
    trigger = new EventTrigger(clock);
    entries = newEntries(Math.min(Rings.size(capacity), FIRST_SIZE));
  }

  /** For a queue that has no room for requests, and so no completions. */
  public static CompletionRing unused() {
    return new CompletionRing(1, Guard.NONE, Guard.NONE, Options.usual(() -> 0), Listener.NONE);
  }

  /** The most entries; any thread may call this. */
  public int capacity() {
    return capacity;
  }

  /**
   * Adds a copy of an entry.
   *
   * @param entry the completion to report
   * @param solicited whether it belongs to a message that asked for an event
   * @param owner send queue whose slots up to {@code request} become free when the entry is polled;
   *     null for a receive
   * @param request number of the request in {@code owner}
   * @return false if the queue has overrun, so that the queue pair must fail
   */
  public boolean add(
      WorkCompletion entry, boolean solicited, @Nullable SendQueue owner, long request) {
    addGuard.enter();
    try {
      if (overrun) {
        return false;
      }
      long waiting = tail - (long) HEAD.getAcquire(this);
      int most = capacity;
      if (waiting == most) {
        return lose(owner, request);
      }
      if (waiting == entries.length) {
        relocate(entries.length * 2);
      }
      long time = stamped ? clock.getAsLong() : 0;
      entries[slot(tail, entries)].set(entry, owner, request, time);
      TAIL.setRelease(this, tail + 1);
      if (trigger.armed != EventTrigger.Armed.NO) {
        tell(trigger.added(solicited || !entry.isSuccess()));
      }
      return true;
    } finally {
      addGuard.exit();
    }
  }

  private boolean lose(@Nullable SendQueue owner, long request) {
    if (ignoresOverrun) {
      // It will never be polled, and its send queue must not fill up because of that.
      if (owner != null) {
        owner.reclaim(request);
      }
      return true;
    }
    overrun = true;
    listener.overrun();
    tellOfOverrun();
    return false;
  }

  /**
   * The queue has ended: threads that wait to poll find nothing, even if another has abandoned the
   * guard.
   */
  public void close() {
    closed = true;
    pollGuard.open();
  }

  /**
   * Takes up to {@code most} entries.
   *
   * @return the number taken
   */
  public int poll(int most, WorkCompletion[] into) {
    if (isEmpty()) {
      return 0;
    }
    pollGuard.enter();
    try {
      int count = closed ? 0 : (int) Math.min(most, (long) TAIL.getAcquire(this) - head);
      // First, so that a call that fails never takes an entry.
      for (int i = 0; i < count; i++) {
        if (into[i] == null) {
          throw new VerbsException("poll", Errno.EINVAL, "wc[" + i + "] is null");
        }
      }
      CompletionEntry[] present = (CompletionEntry[]) ENTRIES.getAcquire(this);
      for (int i = 0; i < count; i++) {
        CompletionEntry entry = present[slot(head + i, present)];
        into[i].set(entry.completion);
        entry.reclaim();
      }
      HEAD.setRelease(this, head + count);
      return count;
    } finally {
      pollGuard.exit();
    }
  }

  /** Takes one entry; false if there is none. */
  public boolean poll(WorkCompletion into) {
    // Before the guard, so that a poll in vain takes none.
    if ((long) TAIL.getAcquire(this) == (long) HEAD.getOpaque(this)) {
      return false;
    }
    pollGuard.enter();
    try {
      CompletionEntry entry = closed ? null : oldest();
      if (entry == null) {
        return false;
      }
      into.set(entry.completion);
      free(entry);
      return true;
    } finally {
      pollGuard.exit();
    }
  }

  /** Whether there is no entry; may be out of date at once. */
  public boolean isEmpty() {
    return (long) TAIL.getAcquire(this) == (long) HEAD.getOpaque(this);
  }

  /**
   * Asks for an event with the next entry; "any" is not weakened by "solicited" (S6.6). If the ring
   * has overrun, there is none, and the event is raised at once (S6.3).
   */
  public void arm(boolean solicitedOnly) {
    addGuard.enter();
    try {
      trigger.arm(solicitedOnly);
      if (overrun) {
        tellOfOverrun();
      }
    } finally {
      addGuard.exit();
    }
  }

  /**
   * Makes events wait until {@code count} entries have gathered or the first of them has waited for
   * this time (S6.11); with one entry or no time they do not wait.
   */
  public void moderate(int count, long periodNanos) {
    addGuard.enter();
    try {
      if (trigger.moderate(count, periodNanos)) {
        listener.completed();
      }
    } finally {
      addGuard.exit();
    }
  }

  /** Raises an event that has waited long enough, or requests another call. */
  public void expire(long now) {
    addGuard.enter();
    try {
      tell(trigger.expired(now));
    } finally {
      addGuard.exit();
    }
  }

  /** Whoever waits for an event would wait for ever, and is to find out by polling. */
  private void tellOfOverrun() {
    if (trigger.lost()) {
      listener.completed();
    }
  }

  /** Somebody waits for an event, which is due, or will be. */
  private void tell(boolean due) {
    if (due) {
      listener.completed();
    } else if (trigger.deadline != EventTrigger.NEVER) {
      listener.waitsUntil(trigger.deadline);
    }
  }

  /**
   * Changes the capacity and keeps all entries.
   *
   * @return false, without a change, if more entries wait than would fit
   */
  public boolean resize(int newCapacity) {
    addGuard.enter();
    try {
      if (tail - (long) HEAD.getAcquire(this) > newCapacity) {
        return false;
      }
      capacity = newCapacity;
      int size = Rings.size(newCapacity);
      if (entries.length > size) {
        relocate(size);
      }
      return true;
    } finally {
      addGuard.exit();
    }
  }

  /**
   * Removes the entries of a queue pair, which adds none meanwhile. The calling thread may be the
   * polling one.
   *
   * @param receives whether to remove receives as well as sends
   */
  public void purge(int qpNum, boolean receives) {
    boolean polling = pollGuard.isHeldByCurrentThread();
    if (!polling) {
      pollGuard.enter();
    }
    try {
      addGuard.enter();
      try {
        if (!closed) {
          forget(qpNum, receives);
        }
      } finally {
        addGuard.exit();
      }
    } finally {
      if (!polling) {
        pollGuard.exit();
      }
    }
  }

  /**
   * Moves the remaining entries up to the tail, which stays, so that readers without a guard only
   * see it rise.
   */
  private void forget(int qpNum, boolean receives) {
    long kept = tail;
    for (long number = tail - 1; number >= head; number--) {
      CompletionEntry entry = entries[slot(number, entries)];
      boolean goes = entry.completion.qpNum() == qpNum && (receives || entry.isSend());
      if (goes) {
        entry.reclaim();
      } else {
        kept--;
        int to = slot(kept, entries);
        entries[slot(number, entries)] = entries[to];
        entries[to] = entry;
      }
    }
    HEAD.setRelease(this, kept);
  }

  /** Takes one entry, for a poller that holds the guard; false if there is none. */
  boolean take(CompletionEntry into) {
    CompletionEntry entry = oldest();
    if (entry == null) {
      return false;
    }
    into.copy(entry);
    free(entry);
    return true;
  }

  /** Poller: the next entry to take, or null. */
  private @Nullable CompletionEntry oldest() {
    if ((long) TAIL.getAcquire(this) == head) {
      return null;
    }
    // Read after the tail, so that all entries up to it are there.
    CompletionEntry[] present = (CompletionEntry[]) ENTRIES.getAcquire(this);
    return present[slot(head, present)];
  }

  /** Poller: is done with the oldest entry. */
  private void free(CompletionEntry entry) {
    entry.reclaim();
    HEAD.setRelease(this, head + 1);
  }

  /** Moves the entries to an array of another size, while they may be polled. */
  private void relocate(int size) {
    CompletionEntry[] moved = newEntries(size);
    for (long number = (long) HEAD.getAcquire(this); number < tail; number++) {
      moved[slot(number, moved)] = entries[slot(number, entries)];
    }
    ENTRIES.setRelease(this, moved);
  }

  /** Where an entry is in an array whose size is a power of two. */
  private static int slot(long number, CompletionEntry[] ring) {
    return (int) number & (ring.length - 1);
  }

  private static CompletionEntry[] newEntries(int size) {
    CompletionEntry[] entries = new CompletionEntry[size];
    Arrays.setAll(entries, i -> new CompletionEntry());
    return entries;
  }
}
