package dev.verbena.soft.link.local;

import dev.verbena.soft.link.Arrival;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.wire.RocePorts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bounded ring of datagrams with many writers and one reader. It allocates a buffer when the ring
 * first reaches it, and keeps it, so a busy link allocates nothing.
 */
final class ReceiveQueue {
  private final @Nullable Arrival[] slots;
  private final int slotBytes;
  // Freed by the garbage collector, because a sender may be copying while the link is closed.
  private final Arena arena = Arena.ofAuto();
  private final List<MemoryLink> refused = new ArrayList<>();
  private long head;
  private long tail;
  private boolean closed;

  /**
   * @param length the most datagrams
   * @param slotBytes bytes of the largest datagram
   */
  ReceiveQueue(int length, int slotBytes) {
    this.slots = new Arrival[length];
    this.slotBytes = slotBytes;
  }

  /**
   * Copies a datagram in.
   *
   * @return false if the ring is full; the sender is woken when it no longer is
   */
  synchronized boolean offer(MemorySegment datagram, int length, MemoryLink sender, Route route) {
    if (accept(datagram, length, sender, route)) {
      return true;
    }
    if (!refused.contains(sender)) {
      refused.add(sender);
    }
    return false;
  }

  /** The same, but a refused sender does not try again. */
  synchronized boolean accept(MemorySegment datagram, int length, MemoryLink sender, Route route) {
    if (closed) {
      return true;
    }
    if (tail - head == slots.length) {
      return false;
    }
    Arrival slot = slotAt(tail);
    MemorySegment.copy(datagram, 0, slot.datagram, 0, length);
    slot.at(0, length, 0);
    slot.headers(
        sender.address(),
        RocePorts.UDP_PORT,
        route.destination(),
        route.effectiveHopLimit(),
        route.trafficClass() & 0xFF);
    slot.flowLabel(route.flowLabel());
    slot.local(route.local());
    tail++;
    return true;
  }

  private Arrival slotAt(long position) {
    int index = (int) (position % slots.length);
    Arrival slot = slots[index];
    if (slot == null) {
      slot = new Arrival(arena.allocate(slotBytes, Link.BUFFER_ALIGNMENT));
      slots[index] = slot;
    }
    return slot;
  }

  synchronized int size() {
    return (int) (tail - head);
  }

  /**
   * The datagram after the {@code index} oldest ones, which the reader keeps until it releases it.
   */
  synchronized Arrival peek(int index) {
    return slotAt(head + index);
  }

  /** Frees the {@code count} oldest slots, and wakes the senders that wait for room. */
  synchronized void release(int count) {
    if (!closed) {
      head += count;
    }
    wakeRefused();
  }

  /** Takes nothing any more; further datagrams are lost. */
  synchronized void close() {
    closed = true;
    head = tail;
    wakeRefused();
  }

  private void wakeRefused() {
    for (int i = 0; i < refused.size(); i++) {
      refused.get(i).wake();
    }
    refused.clear();
  }
}
