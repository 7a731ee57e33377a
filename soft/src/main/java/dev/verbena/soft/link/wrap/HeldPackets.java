package dev.verbena.soft.link.wrap;

import dev.verbena.soft.link.Route;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Copies of packets that leave later, by the time at which they leave. Bounded; buffers are
 * allocated on first use and kept, larger ones for long packets.
 */
final class HeldPackets {
  /** One packet, to leave once or twice. */
  static final class Held {
    MemorySegment buffer;
    int length;
    int copies;
    long deadline;
    Route route;
    byte[] note;
    private long order;

    private Held(MemorySegment buffer, Route route, byte[] note) {
      this.buffer = buffer;
      this.route = route;
      this.note = note;
    }

    /** One copy has left; the note is that of the next. */
    void copied(byte[] nextNote) {
      copies--;
      note = nextNote;
    }
  }

  private final int limit;
  private final int usualBytes;
  private final int mostBytes;
  private final Arena arena = Arena.ofAuto();
  private final ArrayDeque<Held> free = new ArrayDeque<>();
  private final PriorityQueue<Held> queue =
      new PriorityQueue<>(
          Comparator.<Held>comparingLong(held -> held.deadline)
              .thenComparingLong(held -> held.order));
  private int made;
  private long next;

  /**
   * @param limit packets held at the most
   * @param usualBytes bytes of the largest that is no long packet
   * @param mostBytes bytes of the largest
   */
  HeldPackets(int limit, int usualBytes, int mostBytes) {
    this.limit = limit;
    this.usualBytes = usualBytes;
    this.mostBytes = mostBytes;
  }

  /**
   * A copy of a packet, not queued yet: {@link #enqueue} or {@link #discard} it.
   *
   * @return null if there is no room
   */
  @Nullable Held copy(MemorySegment datagram, long length, Route route, int copies, byte[] note) {
    if (length > mostBytes) {
      return null;
    }
    Held held = free.poll();
    if (held == null) {
      if (made == limit) {
        return null;
      }
      made++;
      held = new Held(arena.allocate(usualBytes), route, note);
    }
    if (length > held.buffer.byteSize()) {
      held.buffer = arena.allocate(mostBytes);
    }
    MemorySegment.copy(datagram, 0, held.buffer, 0, length);
    held.length = (int) length;
    held.route = route;
    held.copies = copies;
    held.note = note;
    return held;
  }

  void enqueue(Held held, long deadline) {
    held.deadline = deadline;
    held.order = next++;
    queue.add(held);
  }

  /** The packet that leaves next. */
  @Nullable Held first() {
    return queue.peek();
  }

  /** Removes the packet that {@link #first} returned. */
  void removeFirst() {
    discard(queue.remove());
  }

  void discard(Held held) {
    free.push(held);
  }
}
