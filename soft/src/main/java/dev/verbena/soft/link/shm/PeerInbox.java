package dev.verbena.soft.link.shm;

import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Somebody's inbox, as those see it who send there. It is believed nothing but that its size stays,
 * of which the kernel takes care. For one thread at a time.
 */
final class PeerInbox implements AutoCloseable {
  /** Who has this byte of the memory locked is its owner, and lives. */
  static final long OWNER_LOCK = 0;

  /** Who has the byte behind with the number of a lane locked writes into that lane. */
  private static final long LANE_LOCKS = 1;

  private final int fd;
  private final Arena arena;
  private final MemorySegment header;
  private final MemorySegment sleepWord;
  private final MemorySegment error;
  private final MemorySegment lock;

  private PeerInbox(int fd, Arena arena, MemorySegment header) {
    this.fd = fd;
    this.arena = arena;
    this.header = header;
    sleepWord = header.asSlice(InboxLayout.SLEEP_AT, Integer.BYTES);
    error = SharedMemoryNative.errorBuffer(arena);
    lock = SharedMemoryNative.lockBuffer(arena);
  }

  /** The inbox of an address, or null if there is none. */
  static @Nullable PeerInbox open(Rendezvous rendezvous, Address address) {
    int fd = SharedMemoryNative.open(rendezvous.name(address));
    if (fd < 0) {
      return null;
    }
    if (SharedMemoryNative.isOfFixedSize(fd, InboxLayout.INBOX_BYTES)) {
      Arena arena = Arena.ofShared();
      MemorySegment header = SharedMemoryNative.map(arena, fd, 0, InboxLayout.HEADER_BYTES);
      if (header != null && isOf(header, address)) {
        return new PeerInbox(fd, arena, header);
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

  /** Whether its owner has said that it ends. */
  boolean isClosed() {
    return InboxLayout.intAt(header, InboxLayout.CLOSED_AT) != 0;
  }

  /** Whether its owner lives and has not closed it. A system call. */
  boolean isInUse() {
    return !isClosed() && SharedMemoryNative.isLocked(error, lock, fd, OWNER_LOCK);
  }

  /**
   * Takes a lane that nobody has, for as long as this is open.
   *
   * @param source whose datagrams there will be in it
   * @return null if there is none at the moment
   */
  @Nullable LaneWriter takeLane(Address source) {
    for (int i = 0; i < InboxLayout.LANES; i++) {
      if (!SharedMemoryNative.lock(fd, LANE_LOCKS + i)) {
        continue;
      }
      MemorySegment lane =
          SharedMemoryNative.map(arena, fd, InboxLayout.lane(i), InboxLayout.LANE_BYTES);
      if (lane != null && LaneWriter.isDrained(lane)) {
        InboxLayout.publish(lane, InboxLayout.SOURCE_AT, source.hi());
        InboxLayout.publish(lane, InboxLayout.SOURCE_AT + Long.BYTES, source.lo());
        InboxLayout.addBit(header, InboxLayout.LANES_AT, i);
        return new LaneWriter(lane);
      }
      // What its last sender has left there is still that sender's.
      SharedMemoryNative.unlock(fd, LANE_LOCKS + i);
    }
    return null;
  }

  /** Wakes the owner if it sleeps, for there is something in a lane. */
  void signal() {
    if (InboxLayout.intAt(header, InboxLayout.SLEEP_AT) == InboxLayout.SLEEPS
        && InboxLayout.replace(
            header, InboxLayout.SLEEP_AT, InboxLayout.SLEEPS, InboxLayout.AWAKE)) {
      SharedMemoryNative.wake(error, sleepWord);
    }
  }

  /** Gives its lane back. */
  @Override
  public void close() {
    SharedMemoryNative.close(fd);
    arena.close();
  }
}
