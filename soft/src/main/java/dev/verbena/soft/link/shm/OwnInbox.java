package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.KnownAddresses;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.Receiver;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import dev.verbena.wire.RocePorts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The inbox of a device, for its owner. A sender can write anything into it at any time. Therefore,
 * values that decide which memory is accessed are read once, checked, and kept elsewhere, and a
 * datagram is copied before it is examined.
 */
final class OwnInbox {
  private final Address address;
  private final int fd;
  private final Arena arena;
  private final MemorySegment memory;
  private final MemorySegment sleepWord;
  private final KnownAddresses sources = new KnownAddresses();
  private final MemorySegment copy;
  private final Arrival arrival;

  /** The number of cells taken from each ring; the waiting thread reads it, too. */
  private final AtomicLongArray taken = new AtomicLongArray(InboxLayout.RINGS);

  private int firstRing;

  private OwnInbox(Address address, int fd, Arena arena, MemorySegment memory) {
    this.address = address;
    this.fd = fd;
    this.arena = arena;
    this.memory = memory;
    sleepWord = memory.asSlice(InboxLayout.SLEEP_AT, Integer.BYTES);
    copy = arena.allocate(InboxLayout.MAX_DATAGRAM, Link.BUFFER_ALIGNMENT);
    arrival = new Arrival(copy);
  }

  /**
   * Creates an inbox, which no sender can find yet.
   *
   * @param bell descriptor of this process to which senders write a byte to wake the owner; {@link
   *     Link#NO_BELL} if it sleeps in {@link #sleep}
   * @throws VerbsException if the system refuses, with its errno
   */
  static OwnInbox make(Address address, int bell) {
    int fd = SharedMemoryNative.create(InboxLayout.INBOX_BYTES);
    if (fd < 0) {
      throw refused(address, -fd);
    }
    Arena arena = Arena.ofShared();
    MemorySegment memory = SharedMemoryNative.map(arena, fd, 0, InboxLayout.INBOX_BYTES);
    if (memory == null || !SharedMemoryNative.lock(fd, PeerInbox.OWNER_LOCK)) {
      SharedMemoryNative.close(fd);
      arena.close();
      throw refused(address, Errno.ENOMEM);
    }
    memory.set(ValueLayout.JAVA_LONG, InboxLayout.ADDRESS_AT, address.hi());
    memory.set(ValueLayout.JAVA_LONG, InboxLayout.ADDRESS_AT + Long.BYTES, address.lo());
    memory.set(ValueLayout.JAVA_INT, InboxLayout.BELL_AT, bell);
    if (bell != Link.NO_BELL) {
      long inode = Bell.inode(Bell.OWN_DESCRIPTORS, bell);
      memory.set(ValueLayout.JAVA_LONG, InboxLayout.BELL_INODE_AT, inode);
    }
    InboxLayout.publish(memory, InboxLayout.MAGIC_AT, InboxLayout.MAGIC);
    return new OwnInbox(address, fd, arena, memory);
  }

  private static VerbsException refused(Address address, int errno) {
    return new VerbsException(
        "openDevice",
        errno,
        "no shared memory of " + InboxLayout.INBOX_BYTES + " bytes for address " + address);
  }

  int fd() {
    return fd;
  }

  /** What the owner exports in it. */
  OwnExports exports(Rendezvous rendezvous) {
    return new OwnExports(memory, rendezvous);
  }

  /** Like {@link Link#receive}, but counts cells. */
  int receive(Receiver receiver, LinkCounters counters, int most, long now) {
    long rings = InboxLayout.longAt(memory, InboxLayout.RINGS_AT);
    if (rings == 0) {
      return 0;
    }
    // Round-robin, so that no sender delays the others.
    firstRing = firstRing + 1 & InboxLayout.RINGS - 1;
    int count = 0;
    long waiting = Long.rotateRight(rings, firstRing);
    while (waiting != 0 && count < most) {
      int ring = firstRing + Long.numberOfTrailingZeros(waiting) & InboxLayout.RINGS - 1;
      waiting &= waiting - 1;
      count += receive(ring, receiver, counters, most - count, now);
    }
    return count;
  }

  private int receive(int index, Receiver receiver, LinkCounters counters, int most, long now) {
    long ring = InboxLayout.ring(index);
    long first = taken.getPlain(index);
    long next = first;
    try {
      while (next - first < most && isThere(ring, next)) {
        int length = take(ring, next);
        next += length < 0 ? 1 : InboxLayout.cells(length);
        if (length < 0) {
          counters.add(Counter.DROPPED_MALFORMED, 1);
        } else {
          arrival.at(0, length, 0);
          receiver.datagram(arrival, now);
        }
      }
    } finally {
      if (next != first) {
        taken.setRelease(index, next);
      }
      // Also if a neighbor has overwritten it, so that the sender finds out.
      if (InboxLayout.longAt(memory, ring + InboxLayout.TAKEN_AT) != next) {
        InboxLayout.publish(memory, ring + InboxLayout.TAKEN_AT, next);
      }
    }
    return (int) (next - first);
  }

  private boolean isThere(long ring, long index) {
    return InboxLayout.longAt(memory, ring + InboxLayout.cell(index) + InboxLayout.NUMBER_AT)
        == index + 1;
  }

  /** Copies the datagram that begins there; returns its length, or -1 if it is not valid. */
  private int take(long ring, long index) {
    long cell = ring + InboxLayout.cell(index);
    int length = memory.get(ValueLayout.JAVA_INT, cell + InboxLayout.LENGTH_AT);
    if (length < 0 || length > InboxLayout.MAX_DATAGRAM) {
      return -1;
    }
    for (int at = 0; at < length; at += InboxLayout.CELL_DATA) {
      long piece = ring + InboxLayout.cell(index + at / InboxLayout.CELL_DATA);
      int bytes = Math.min(InboxLayout.CELL_DATA, length - at);
      MemorySegment.copy(memory, piece + InboxLayout.DATA_AT, copy, at, bytes);
    }
    int marks = memory.get(ValueLayout.JAVA_INT, cell + InboxLayout.MARKS_AT);
    boolean isForGroup = (marks & InboxLayout.FOR_GROUP) != 0;
    arrival.headers(
        addressAt(ring + InboxLayout.SOURCE_AT),
        RocePorts.UDP_PORT,
        isForGroup ? addressAt(cell + InboxLayout.GROUP_AT) : address,
        marks >>> InboxLayout.HOP_LIMIT_SHIFT & InboxLayout.BYTE,
        marks & InboxLayout.BYTE);
    arrival.flowLabel(
        memory.get(ValueLayout.JAVA_INT, cell + InboxLayout.FLOW_LABEL_AT)
            & InboxLayout.FLOW_LABEL);
    arrival.icrc((marks & InboxLayout.HAS_ICRC) != 0);
    return length;
  }

  private Address addressAt(long at) {
    return sources.of(
        memory.get(ValueLayout.JAVA_LONG, at), memory.get(ValueLayout.JAVA_LONG, at + Long.BYTES));
  }

  /** Whether a ring has a datagram. */
  boolean hasMail() {
    long rings = InboxLayout.longAt(memory, InboxLayout.RINGS_AT);
    while (rings != 0) {
      int ring = Long.numberOfTrailingZeros(rings);
      rings &= rings - 1;
      if (isThere(InboxLayout.ring(ring), taken.getAcquire(ring))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sets whether senders have to wake the owner, and how.
   *
   * @param state {@link InboxLayout#AWAKE}, {@link InboxLayout#SLEEPS} or {@link
   *     InboxLayout#LISTENS}
   */
  void is(int state) {
    InboxLayout.publishInt(memory, InboxLayout.SLEEP_AT, state);
  }

  /** Sleeps until woken, or until the time is over; not if it was woken since it {@link #is} so. */
  void sleep(MemorySegment timeout, long nanos) {
    SharedMemoryNative.sleep(sleepWord, InboxLayout.SLEEPS, timeout, nanos);
  }

  /** Ends {@link #sleep}. */
  void wake() {
    is(InboxLayout.AWAKE);
    SharedMemoryNative.wake(sleepWord);
  }

  /** Tells senders that the inbox is closed, and frees the memory. */
  void close() {
    InboxLayout.publishInt(memory, InboxLayout.CLOSED_AT, 1);
    SharedMemoryNative.close(fd);
    arena.close();
  }
}
