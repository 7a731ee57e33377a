package dev.verbena.rdmacore.post;

import dev.verbena.rdmacore.call.DataPathNative;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvCqEx;
import dev.verbena.rdmacore.layout.IbvPollCqAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The cursor of a queue, through the functions of struct ibv_cq_ex, as the inline functions of
 * verbs.h. Its user lets only one thread at a time use it. Allocates nothing.
 */
public final class CursorSide {
  private static final long FIRST = IbvCqEx.START_POLL;
  private static final String END = "endPoll";
  private static final long LAST = IbvCqEx.READ_COMPLETION_WALLCLOCK_NS;

  private final Arena arena = Arena.ofShared();
  private final String name;
  private final PollSide polls;
  private final MemorySegment[] functions;
  private final long attr;
  private boolean started;
  private boolean onCompletion;

  /** Who has moved it last. */
  private @Nullable Thread mover;

  /**
   * @param name of the queue, for messages
   * @param polls its other side
   * @param cq address of the struct ibv_cq_ex
   */
  public CursorSide(String name, PollSide polls, long cq) {
    this.name = name;
    this.polls = polls;
    this.functions = new MemorySegment[(int) ((LAST - FIRST) / Long.BYTES) + 1];
    for (int i = 0; i < functions.length; i++) {
      functions[i] = MemorySegment.ofAddress(Host.getLong(cq + FIRST + (long) i * Long.BYTES));
    }
    this.attr = arena.allocate(IbvPollCqAttr.LAYOUT.size(), Long.BYTES).address();
  }

  /**
   * Moves to the first completion; false if there is none, and then nothing has begun. If it was
   * begun, by another thread of a program that keeps its threads apart itself, moves to the next
   * one: drivers hold the queue's lock from start to stop, and would wait for themselves.
   */
  public boolean start(String verb) {
    long cq = polls.enter(verb);
    try {
      if (started) {
        boolean more = next(verb, cq);
        if (!more) {
          stop(verb, cq);
        }
        return more;
      }
      started = found(verb, DataPathNative.startPoll(function(verb, FIRST), cq, attr));
      polls.lockedByDriver(started);
      onCompletion = started;
      mover = started ? Thread.currentThread() : null;
      return started;
    } finally {
      polls.exit();
    }
  }

  /** Moves to the next completion; false if there is none yet. */
  public boolean next(String verb) {
    long cq = polls.enter(verb);
    try {
      return next(verb, cq);
    } finally {
      polls.exit();
    }
  }

  private boolean next(String verb, long cq) {
    if (!started) {
      throw new IllegalStateException(
          verb
              + ": the cursor of "
              + name
              + " has ended with a queue pair that this thread closed");
    }
    mover = Thread.currentThread();
    onCompletion = false;
    int status = (int) DataPathNative.read(function(verb, IbvCqEx.NEXT_POLL), cq);
    onCompletion = found(verb, status);
    return onCompletion;
  }

  private boolean found(String verb, int status) {
    if (status == 0) {
      return true;
    }
    if (Math.abs(status) == Errno.ENOENT) {
      return false;
    }
    throw new VerbsException(
        verb, Errno.EIO, name + " is in error, as after an overrun: the driver returns " + status);
  }

  /** Gives back what was visited. */
  public void stop(String verb) {
    long cq = polls.enter(verb);
    try {
      stop(verb, cq);
    } finally {
      polls.exit();
    }
  }

  private void stop(String verb, long cq) {
    if (started) {
      started = false;
      onCompletion = false;
      mover = null;
      polls.lockedByDriver(false);
      DataPathNative.read(function(verb, IbvCqEx.END_POLL), cq);
    }
  }

  /** Gives back what this thread visits, if it does, as it is about to need the driver's lock. */
  public void giveUp() {
    long cq = polls.enterIfOpen();
    try {
      if (cq != 0 && Thread.currentThread().equals(mover)) {
        stop(END, cq);
      }
    } finally {
      polls.exit();
    }
  }

  /** The queue ends, and its polling at the same moment: nobody has begun to read what is gone. */
  public void end() {
    long cq = polls.enterIfOpen();
    try {
      if (cq != 0) {
        stop(END, cq);
        polls.end();
        arena.close();
      }
    } finally {
      polls.exit();
    }
  }

  public long wrId(String verb) {
    long cq = enterCompletion(verb);
    try {
      return Host.getLong(cq + IbvCqEx.WR_ID);
    } finally {
      polls.exit();
    }
  }

  /** The status; GENERAL_ERR for one that this release does not know. */
  public WcStatus status(String verb) {
    long cq = enterCompletion(verb);
    try {
      WcStatus status = Completions.status(Host.getInt(cq + IbvCqEx.STATUS));
      return status == null ? WcStatus.GENERAL_ERR : status;
    } finally {
      polls.exit();
    }
  }

  /**
   * What has completed.
   *
   * @throws VerbsException EIO if this release does not know it
   */
  public WcOpcode opcode(String verb) {
    int number = (int) read(verb, IbvCqEx.READ_OPCODE);
    WcOpcode opcode = Completions.opcode(number);
    if (opcode == null) {
      throw new VerbsException(
          verb, Errno.EIO, name + ": this release does not know the opcode " + number);
    }
    return opcode;
  }

  /** Calls a reader, which is at this offset. */
  public long read(String verb, long reader) {
    long cq = enterCompletion(verb);
    try {
      return DataPathNative.read(function(verb, reader), cq);
    } finally {
      polls.exit();
    }
  }

  private long enterCompletion(String verb) {
    long cq = polls.enter(verb);
    if (!onCompletion) {
      polls.exit();
      throw new IllegalStateException(
          verb + " without a completion: startPoll or nextPoll must have returned true");
    }
    return cq;
  }

  private MemorySegment function(String verb, long field) {
    MemorySegment function = functions[(int) ((field - FIRST) / Long.BYTES)];
    if (function.address() == 0) {
      throw new VerbsException(
          verb, Errno.EOPNOTSUPP, "the driver of " + name + " has no function for " + verb);
    }
    return function;
  }
}
