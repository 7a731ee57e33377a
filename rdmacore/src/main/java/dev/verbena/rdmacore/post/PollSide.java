package dev.verbena.rdmacore.post;

import dev.verbena.rdmacore.call.DataPathNative;
import dev.verbena.rdmacore.call.Operations;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes the completions of a queue through its driver's own function, as the inline function of
 * verbs.h does, one thread at a time. Allocates nothing.
 */
public final class PollSide {
  private static final int BATCH = 16;
  private static final long SIZE = IbvWc.LAYOUT.size();

  private final ReentrantLock lock = new ReentrantLock();
  private final Arena arena = Arena.ofShared();
  private final String name;
  private final MemorySegment poll;
  private final MemorySegment notify;
  private final long taken;
  private long cq;
  private boolean lockedByDriver;

  /**
   * @param name of the queue, for messages
   * @param operations of its context
   * @param cq address of the struct
   */
  public PollSide(String name, Operations operations, long cq) {
    this.name = name;
    this.poll = operations.basic(IbvContext.OPS_POLL_CQ);
    this.notify = operations.basic(IbvContext.OPS_REQ_NOTIFY_CQ);
    this.taken = arena.allocate(BATCH * SIZE, Long.BYTES).address();
    this.cq = cq;
  }

  public boolean poll(WorkCompletion wc) {
    lock.lock();
    try {
      if (take(1) == 0) {
        return false;
      }
      Completions.read(taken, wc);
      return true;
    } finally {
      lock.unlock();
    }
  }

  public int poll(int numEntries, WorkCompletion[] wc) {
    int filled = 0;
    lock.lock();
    try {
      requireOpen("poll");
      while (filled < numEntries) {
        int asked = Math.min(BATCH, numEntries - filled);
        // What was taken before an error is not lost: the next poll meets the error again.
        int count = take(asked, filled);
        for (int i = 0; i < count; i++) {
          Completions.read(taken + i * SIZE, wc[filled + i]);
        }
        filled += count;
        if (count < asked) {
          return filled;
        }
      }
      return filled;
    } finally {
      lock.unlock();
    }
  }

  private int take(int asked) {
    requireOpen("poll");
    return take(asked, 0);
  }

  private int take(int asked, int before) {
    if (lockedByDriver) {
      throw new VerbsException(
          "poll", Errno.EBUSY, name + " is read by startPoll, and drivers let nobody poll then");
    }
    int count = DataPathNative.poll(poll, cq, asked, taken);
    if (count >= 0) {
      return count;
    }
    if (before > 0) {
      return 0;
    }
    throw new VerbsException(
        "poll", Errno.EIO, name + " is in error, as after an overrun: poll_cq returns " + count);
  }

  public void requestNotification(boolean solicitedOnly) {
    String verb = "reqNotify";
    lock.lock();
    try {
      requireOpen(verb);
      int status = DataPathNative.requestNotification(notify, cq, solicitedOnly ? 1 : 0);
      if (status != 0) {
        throw new VerbsException(verb, status, "req_notify_cq refuses to arm " + name);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The queue has ended: nobody polls it any more. */
  public void end() {
    lock.lock();
    try {
      if (cq != 0) {
        cq = 0;
        arena.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins a call about this queue, which does not end meanwhile.
   *
   * @return the struct
   * @throws ObjectClosedException if it has ended
   */
  long enter(String verb) {
    lock.lock();
    if (cq == 0) {
      lock.unlock();
      throw new ObjectClosedException(verb, name);
    }
    return cq;
  }

  /** As {@link #enter}, but 0 if it has ended; {@link #exit} is to follow all the same. */
  long enterIfOpen() {
    lock.lock();
    return cq;
  }

  /** Notes, between {@link #enter} and {@link #exit}, whether a cursor has the driver's lock. */
  void lockedByDriver(boolean locked) {
    lockedByDriver = locked;
  }

  /** Ends {@link #enter}. */
  void exit() {
    lock.unlock();
  }

  private void requireOpen(String verb) {
    if (cq == 0) {
      throw new ObjectClosedException(verb, name);
    }
  }
}
