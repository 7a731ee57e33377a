package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Link;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The inbox of a peer, for its senders. They trust nothing in it except its fixed size, which the
 * kernel guarantees. For one thread at a time.
 */
final class PeerInbox implements AutoCloseable {
  /** The living owner of the memory holds a lock on this byte. */
  static final long OWNER_LOCK = 0;

  /** The writer of ring i holds a lock on the byte at this offset plus i. */
  private static final long RING_LOCKS = 1;

  private final Path file;
  private final Path descriptors;
  private final int fd;
  private final Arena arena;
  private final MemorySegment header;
  private final MemorySegment sleepWord;
  private final MemorySegment lock;

  /** The index of the ring that was taken, or tried last. */
  private int taken;

  /** If it has one, once a ring was taken. */
  private @Nullable Bell bell;

  private PeerInbox(Path file, Path descriptors, int fd, Arena arena, MemorySegment header) {
    this.file = file;
    this.descriptors = descriptors;
    this.fd = fd;
    this.arena = arena;
    this.header = header;
    sleepWord = header.asSlice(InboxLayout.SLEEP_AT, Integer.BYTES);
    lock = SharedMemoryNative.lockBuffer(arena);
  }

  /** The inbox of an address, or null if there is none. */
  static @Nullable PeerInbox open(Rendezvous rendezvous, Address address) {
    Path file = rendezvous.descriptor(address);
    Path descriptors = file == null ? null : file.getParent();
    if (file == null || descriptors == null) {
      return null;
    }
    int fd = SharedMemoryNative.open(file.toString());
    if (fd < 0) {
      return null;
    }
    if (SharedMemoryNative.isOfFixedSize(fd, InboxLayout.INBOX_BYTES)) {
      Arena arena = Arena.ofShared();
      MemorySegment header = SharedMemoryNative.map(arena, fd, 0, InboxLayout.HEADER_BYTES);
      if (header != null && isOf(header, address)) {
        return new PeerInbox(file, descriptors, fd, arena, header);
      }
      arena.close();
    }
    SharedMemoryNative.close(fd);
    return null;
  }

  private static boolean isOf(MemorySegment header, Address address) {
    return InboxLayout.longAt(header, InboxLayout.MAGIC_AT) == InboxLayout.MAGIC
        && address.is(
            InboxLayout.longAt(header, InboxLayout.ADDRESS_AT),
            InboxLayout.longAt(header, InboxLayout.ADDRESS_AT + Long.BYTES));
  }

  /**
   * A folder in which all descriptors of its owner can be opened by their numbers, as long as that
   * process lives.
   */
  Path descriptors() {
    return descriptors;
  }

  /** Whether its owner still publishes it. */
  boolean isPublished(Rendezvous rendezvous, Address address) {
    return file.equals(rendezvous.descriptor(address));
  }

  /** What stands before the rings. */
  MemorySegment header() {
    return header;
  }

  /** Whether its owner has closed it. */
  boolean isClosed() {
    return InboxLayout.intAt(header, InboxLayout.CLOSED_AT) != 0;
  }

  /** Whether its owner lives and has not closed it. Makes a system call. */
  boolean isInUse() {
    return !isClosed() && SharedMemoryNative.isLocked(lock, fd, OWNER_LOCK);
  }

  /**
   * Takes a free ring, for as long as this is open. Call it once.
   *
   * @param source the sender of the datagrams in it
   * @return null if there is currently none, or its bell cannot be opened
   */
  @Nullable RingWriter takeRing(Address source) {
    int number = InboxLayout.intAt(header, InboxLayout.BELL_AT);
    if (number != Link.NO_BELL) {
      bell = Bell.open(descriptors, number, InboxLayout.longAt(header, InboxLayout.BELL_INODE_AT));
      if (bell == null) {
        return null;
      }
    }
    for (int i = 0; i < InboxLayout.RINGS; i++) {
      if (!SharedMemoryNative.lock(fd, RING_LOCKS + i)) {
        continue;
      }
      taken = i;
      announceRing();
      MemorySegment ring =
          SharedMemoryNative.map(arena, fd, InboxLayout.ring(i), InboxLayout.RING_BYTES);
      if (ring != null && RingWriter.isDrained(ring)) {
        InboxLayout.publish(ring, InboxLayout.SOURCE_AT, source.hi());
        InboxLayout.publish(ring, InboxLayout.SOURCE_AT + Long.BYTES, source.lo());
        return new RingWriter(ring);
      }
      // Datagrams that the last sender left there still belong to that sender.
      SharedMemoryNative.unlock(fd, RING_LOCKS + i);
    }
    return null;
  }

  /**
   * Makes the owner look into the ring, and correct its count. Call it now and then, because a
   * neighbor can undo it.
   */
  void announceRing() {
    InboxLayout.addBit(header, InboxLayout.RINGS_AT, taken);
  }

  /** Wakes the owner if it sleeps, because a ring has a datagram. */
  void signal() {
    int state = InboxLayout.intAt(header, InboxLayout.SLEEP_AT);
    if (state == InboxLayout.AWAKE
        || !InboxLayout.replace(header, InboxLayout.SLEEP_AT, state, InboxLayout.AWAKE)) {
      return;
    }
    if (bell == null) {
      SharedMemoryNative.wake(sleepWord);
    } else {
      bell.ring();
    }
  }

  /** Releases the ring. */
  @Override
  public void close() {
    if (bell != null) {
      bell.close();
    }
    SharedMemoryNative.close(fd);
    arena.close();
  }
}
