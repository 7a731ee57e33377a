package dev.verbena.soft.engine.tx;

import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.Address;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.RoceFlow;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.RxeFlushIcrc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The sending side of an engine's link: one packet at a time, under the link.tx guard. */
public final class TxPort {
  /** A 4096-byte payload and more headers than there are. */
  private static final int BUFFER_BYTES = 4096 + 256;

  private final Link link;
  private final Guard guard;
  private final Clock clock;
  private final Schedule schedule;
  // Freed by the collector: a late sender must not meet a closed arena.
  private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER_BYTES, Link.BUFFER_ALIGNMENT);
  private final Icrc icrc = new Icrc();
  private @Nullable Route flow;
  private boolean reached;
  private boolean closed;

  public TxPort(Link link, Guard guard, Clock clock, Schedule schedule) {
    this.link = link;
    this.guard = guard;
    this.clock = clock;
    this.schedule = schedule;
  }

  /** Takes the guard until {@link #commit} or {@link #abandon}. */
  MemorySegment begin() {
    guard.enter();
    return buffer;
  }

  /**
   * Sends the packet.
   *
   * @param length bytes without ICRC
   * @param flushes which ICRC FLUSH packets carry
   * @param tally where it is counted
   * @return false if the link refused it
   */
  boolean commit(int length, Route route, FlushForm flushes, Tally tally) {
    int total = length + RocePacket.ICRC_LENGTH;
    long heldUntil = Clock.NEVER;
    boolean sent = true;
    try {
      if (!closed && reaches(route)) {
        sent = send(total, route, flushes, tally);
        heldUntil = link.deadline();
      }
    } finally {
      guard.exit();
    }
    if (heldUntil != Clock.NEVER) {
      schedule.waker().deadlineIs(heldUntil);
    }
    return sent;
  }

  private boolean send(int total, Route route, FlushForm flushes, Tally tally) {
    boolean isFlush = FlushForm.concerns(buffer);
    boolean asRxe = isFlush && flushes.isOfRxe(buffer);
    if (asRxe) {
      RxeFlushIcrc.seal(icrc, buffer, 0, total);
    } else {
      icrc.seal(buffer, 0, total);
    }
    if (!link.send(buffer, total, route, clock.now())) {
      return false;
    }
    if (isFlush) {
      flushes.sent(buffer, asRxe);
    }
    tally.count(Counter.PACKETS_SENT);
    tally.add(Counter.BYTES_SENT, total);
    return true;
  }

  /**
   * Prepares to send there; false if packets are lost, as IPv4 and IPv6 do not reach each other.
   */
  private boolean reaches(Route route) {
    if (!route.equals(flow)) {
      Address from = link.address();
      Address to = route.destination();
      flow = route;
      reached = to.isIpv4() == from.isIpv4();
      if (reached) {
        icrc.flow(from, to, RoceFlow.UDP_PORT, RoceFlow.UDP_PORT);
      }
    }
    return reached;
  }

  /** Sends nothing. */
  void abandon() {
    guard.exit();
  }

  /** From now on every packet is lost. */
  public void close() {
    guard.enter();
    try {
      closed = true;
    } finally {
      guard.exit();
    }
  }

  /** See {@link Link#window}. */
  int window(int mtu) {
    return link.window(mtu);
  }
}
