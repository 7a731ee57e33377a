package dev.verbena.rdmacore.post;

import dev.verbena.rdmacore.call.DataPathNative;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvSge;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.provider.Lifetime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Posts lists of requests to one queue through its driver's own function, as the inline functions
 * of verbs.h do, one thread at a time. Requests are written to memory of this object, some at a
 * time. Allocates nothing unless it fails.
 *
 * @param <W> the requests
 */
public abstract class PostSide<W> {
  private static final int SLOTS = 16;

  /** Held by whoever posts or ends the queue. */
  final ReentrantLock lock = new ReentrantLock();

  private final Arena arena = Arena.ofShared();
  private final String verb;
  private final String name;
  private final MemorySegment function;
  private final long nextField;
  private final long requestSize;
  private final String most;
  private final String full;
  private final Supplier<String> condition;
  private final int maxSge;
  private final Regions regions;
  private final boolean readsElements;
  private final long slotSize;
  private final MemorySegment slots;
  private final long bad;
  private long queue;

  /** What an element has named last, since the next one is likely to name it as well. */
  private Regions.Place last = Regions.Place.EMPTY;

  /**
   * What a queue takes.
   *
   * @param verb the verb that posts
   * @param name of the object, for messages
   * @param function the driver's
   * @param queue address of the struct
   * @param regions whose memory requests may name
   * @param most what the names of its limits begin with
   * @param maxWr how many requests it has room for
   * @param condition what else a driver may go by, to follow what it refuses; empty if nothing
   * @param maxSge elements of a request
   * @param inlineBytes inline data of a request
   * @param headerBytes of a request that has segments
   */
  public record Target(
      String verb,
      String name,
      MemorySegment function,
      long queue,
      Regions regions,
      String most,
      int maxWr,
      Supplier<String> condition,
      int maxSge,
      int inlineBytes,
      int headerBytes) {
    /** A queue whose requests have elements only. */
    public Target(
        String verb,
        String name,
        MemorySegment function,
        long queue,
        Regions regions,
        int maxWr,
        int maxSge) {
      this(verb, name, function, queue, regions, "max_", maxWr, () -> "", maxSge, 0, 0);
    }
  }

  /**
   * @param requestSize bytes of a request's struct
   * @param nextField where it has the address of the next one
   * @param readsElements whether a driver may read what elements name, by its address
   */
  PostSide(Target target, long requestSize, long nextField, boolean readsElements) {
    this.verb = target.verb();
    this.name = target.name();
    this.function = target.function();
    this.queue = target.queue();
    this.most = target.most();
    this.full = "there is no room, with " + most + "wr=" + target.maxWr();
    this.condition = target.condition();
    this.maxSge = target.maxSge();
    this.regions = target.regions();
    this.readsElements = readsElements;
    this.requestSize = requestSize;
    this.nextField = nextField;
    long elements = maxSge * IbvSge.LAYOUT.size();
    this.slotSize =
        requestSize + elements + roundUp(Math.max(target.inlineBytes(), target.headerBytes()));
    this.slots = arena.allocate(SLOTS * slotSize, Long.BYTES);
    this.bad = arena.allocate(Long.BYTES, Long.BYTES).address();
  }

  private static long roundUp(int bytes) {
    return (bytes + Long.BYTES - 1L) & -Long.BYTES;
  }

  /** The request after this one, or null. */
  abstract @Nullable W after(W request);

  /**
   * Writes a request, except for its successor.
   *
   * @return null, or why it cannot be posted
   */
  abstract @Nullable String write(W request, long out);

  /** The error number of a request that {@link #write} refuses. */
  int errno(W request) {
    return Errno.EINVAL;
  }

  /** Waits, with the lock, until no other thread has a batch open. */
  void awaitTurn() {}

  /** Whether what was written last must be posted before the next request is written. */
  boolean endsRun() {
    return false;
  }

  /**
   * Posts a list, up to the first request that is refused.
   *
   * @param owner the object's: a batch that another thread has open when the object begins to end
   *     is over, though the driver does not know
   * @throws WorkRequestException with that request
   * @throws ObjectClosedException if the object has ended, or begun to
   */
  public final void post(@Nullable W list, Lifetime owner) {
    lock.lock();
    try {
      awaitTurn();
      owner.require(verb);
      requirePresent(verb);
      int posted = 0;
      W first = list;
      while (first != null) {
        int count = 0;
        String refusal = null;
        int errno = 0;
        W request = first;
        while (request != null && count < SLOTS) {
          refusal = write(request, slot(count));
          if (refusal != null) {
            errno = errno(request);
            break;
          }
          count++;
          request = after(request);
          if (endsRun()) {
            break;
          }
        }
        if (count > 0) {
          send(first, count, posted);
        }
        posted += count;
        if (refusal != null) {
          throw new WorkRequestException(verb, errno, name, refusal, request, posted);
        }
        first = request;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Posts so many requests that were written. */
  private void send(W first, int count, int before) {
    for (int i = 0; i < count; i++) {
      Host.setLong(slot(i) + nextField, i + 1 < count ? slot(i + 1) : 0);
    }
    Host.setLong(bad, slot(0));
    int status = DataPathNative.post(function, queue, slot(0), bad);
    if (status == 0) {
      posted(first, count);
    } else {
      throw refused(status, first, count, before);
    }
  }

  /** Called after requests were posted, so many from this one on. */
  void posted(W first, int count) {}

  private WorkRequestException refused(int status, W first, int count, int before) {
    long index = (Host.getLong(bad) - slot(0)) / slotSize;
    int good = index < 0 || index >= count ? 0 : (int) index;
    W refused = first;
    for (int i = 0; i < good && refused != null; i++) {
      refused = after(refused);
    }
    posted(first, good);
    String detail =
        status == Errno.ENOMEM ? full : "the driver refuses " + refused + condition.get();
    return new WorkRequestException(verb, status, name, detail, refused, before + good);
  }

  private long slot(int index) {
    return slots.address() + index * slotSize;
  }

  /** Where the elements of a request that is written to this address are. */
  public final long elements(long request) {
    return request + requestSize;
  }

  /** Where the inline data of a request is, as an offset in {@link #memory()}. */
  final long inlineOffset(long request) {
    return elements(request) + maxSge * IbvSge.LAYOUT.size() - slots.address();
  }

  /** The memory of all requests. */
  final MemorySegment memory() {
    return slots;
  }

  /** Why so many elements of a list cannot be posted, or null. */
  public final @Nullable String refuseElements(Sge[] list, int count) {
    if (count < 0 || count > list.length) {
      return count + " SGEs of a list of " + list.length;
    }
    if (count > maxSge) {
      return count + " SGEs, this queue has " + most + "sge=" + maxSge;
    }
    return null;
  }

  /** Writes the elements of a request; returns null, or why one cannot be posted. */
  public final @Nullable String writeElements(Sge[] list, int count, long request) {
    long out = elements(request);
    for (int i = 0; i < count; i++) {
      Sge sge = list[i];
      if (sge == null) {
        return noElement(i);
      }
      if (sge.segment() != null) {
        return "SGE "
            + i
            + " is a memory segment, which is not registered: set SendFlags.INLINE or use mr.sge()";
      }
      // Read once: another thread may change it.
      long addr = sge.addr();
      long length = sge.length();
      int lkey = sge.lkey();
      writeElement(out + i * IbvSge.LAYOUT.size(), addr, length, lkey);
      String refusal = refuseElement(i, addr, length, lkey);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /** Why a list with a null cannot be posted. */
  static String noElement(int index) {
    return "SGE " + index + " is null";
  }

  /**
   * Why an element cannot be posted, or null: it names memory that was freed, though the device
   * knows it still, or of which a driver may read what is not there. A key that no region of this
   * context has is refused by the device.
   *
   * @param index of the element, for the message
   */
  public final @Nullable String refuseElement(int index, long addr, long length, int lkey) {
    return last.isUsable(lkey) && !readsElements
        ? null
        : refuseOtherElement(index, addr, length, lkey);
  }

  private @Nullable String refuseOtherElement(int index, long addr, long length, int lkey) {
    Regions.Place place = regions.place(lkey);
    last = place;
    RegisteredMemory registered = place.findAlsoEnding(lkey);
    if (registered != null && registered.isFreed()) {
      return "SGE " + index + " is in " + freed(registered);
    }
    return readsElements ? refuseUnreadable(index, addr, length, place.find(lkey)) : null;
  }

  private static @Nullable String refuseUnreadable(
      int index, long addr, long length, @Nullable RegisteredMemory registered) {
    boolean readable =
        length == 0
            || (registered != null
                && registered.covers(addr, length)
                && registered.addr() == registered.memory().address());
    return readable
        ? null
        : "SGE " + index + " is not in memory at its address, where a driver may read headers";
  }

  /** What is wrong with memory that was freed. */
  static String freed(RegisteredMemory registered) {
    return "the region 0x"
        + Integer.toHexString(registered.lkey())
        + ", whose memory is gone: its arena was closed before it";
  }

  /** The registered memory that this key opens, or null. */
  final @Nullable RegisteredMemory registered(int lkey) {
    return regions.find(lkey);
  }

  /** The same, or what this key has opened until its region was about to end. */
  final @Nullable RegisteredMemory registeredAlsoEnding(int lkey) {
    return regions.place(lkey).findAlsoEnding(lkey);
  }

  /** Writes a struct ibv_sge. */
  public static void writeElement(long out, long addr, long length, int lkey) {
    Host.setLong(out + IbvSge.ADDR, addr);
    Host.setInt(out + IbvSge.LENGTH, (int) length);
    Host.setInt(out + IbvSge.LKEY, lkey);
  }

  /** Waits until no thread posts what it has read before. */
  @SuppressWarnings("LockNotBeforeTry") // There is nothing to do in between.
  final void pass() {
    lock.lock();
    lock.unlock();
  }

  /** The queue has ended: nobody posts to it any more. */
  public final void end() {
    lock.lock();
    try {
      if (queue != 0) {
        queue = 0;
        arena.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins a call about this queue, which does not end meanwhile.
   *
   * @throws ObjectClosedException if it has ended
   */
  public final void enter(String caller) {
    lock.lock();
    try {
      requirePresent(caller);
    } catch (ObjectClosedException e) {
      lock.unlock();
      throw e;
    }
  }

  private void requirePresent(String caller) {
    if (queue == 0) {
      throw new ObjectClosedException(caller, name);
    }
  }

  /** Ends {@link #enter}. */
  public final void exit() {
    lock.unlock();
  }

  /** Where a request may be written between {@link #enter} and {@link #exit}. */
  public final long scratch() {
    return slot(0);
  }
}
