package dev.verbena.soft.engine.tx;

import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.SendBatch;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.Address;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.RocePorts;
import dev.verbena.wire.RxeFlushIcrc;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of an engine's link, under the link.tx guard. Packets are written one at a time,
 * and leave together: when a {@link SendBatch} has a full run, or at the {@link #flush} with which
 * every thread ends its work.
 */
public final class TxPort {
  private static final int ACKNOWLEDGE_LENGTH = Bth.LENGTH + Aeth.LENGTH + RocePacket.ICRC_LENGTH;

  private final Link link;
  private final Guard guard;
  private final Clock clock;
  private final Schedule schedule;
  private final boolean needsIcrc;
  private final boolean holds;
  private final SendBatch batch;
  private final Icrc icrc = new Icrc();
  private final boolean sendsAtOnce;
  private final boolean carriesLong;

  /** See {@link Link#receiveBuffer}. */
  final int receiveBuffer;

  /** The memory for the next packet. */
  private MemorySegment packet = MemorySegment.NULL;

  private @Nullable Route last;
  private boolean reached;
  private boolean closed;

  /** Whether {@link #flush} has something to do. Written under the guard. */
  public volatile boolean waiting;

  /** While something waits: whether it is one acknowledgement only. Written under the guard. */
  public volatile boolean onlyAnswerWaits;

  private long heldUntil = Clock.NEVER;

  public TxPort(Link link, Guard guard, Clock clock, Schedule schedule) {
    this.link = link;
    this.guard = guard;
    this.clock = clock;
    this.schedule = schedule;
    needsIcrc = link.needsIcrc();
    holds = link.holds();
    int mostSegments = link.mostSegments();
    batch = new SendBatch(mostSegments, link.longestDatagram());
    sendsAtOnce = mostSegments == 1;
    carriesLong = link.longPayload() > 0;
    receiveBuffer = link.receiveBuffer();
  }

  /** Takes the guard until {@link #commit} or {@link #abandon}. */
  MemorySegment begin() {
    guard.enter();
    packet = batch.next();
    return packet;
  }

  /**
   * Sends the packet, at the latest with the next {@link #flush}.
   *
   * @param length bytes without ICRC
   * @param overtakes whether a request may leave before the acknowledgement that precedes it, if
   *     that makes the two a run
   * @param flushes chooses the ICRC of FLUSH packets
   * @param tally counts the packet
   * @return bytes that it may take in the peer's receive buffer; 0 if the link refused it
   */
  int commit(int length, Route route, boolean overtakes, FlushForm flushes, Tally tally) {
    int total = length + RocePacket.ICRC_LENGTH;
    try {
      if (!route.equals(last)) {
        aim(route);
      }
      if (closed || !reached) {
        return total;
      }
      if (batch.isFull() && !send()) {
        return 0;
      }
      return add(total, route, overtakes, flushes, tally);
    } finally {
      guard.exit();
    }
  }

  private int add(int total, Route route, boolean overtakes, FlushForm flushes, Tally tally) {
    boolean overtook = overtakes && waiting && onlyAnswerWaits && overtake(total, route);
    int place = overtook ? 0 : batch.add(total, route);
    icrc.identification(place, true);
    boolean isFlush = needsIcrc && RxeFlushIcrc.appliesTo(packet, 0);
    boolean asRxe = isFlush && flushes.isOfRxe(packet);
    if (asRxe) {
      RxeFlushIcrc.seal(icrc, packet, 0, total);
    } else if (needsIcrc) {
      icrc.seal(packet, 0, total);
    }
    onlyAnswerWaits =
        !waiting && total == ACKNOWLEDGE_LENGTH && Opcode.isAcknowledge(Bth.opcode(packet, 0));
    waiting = true;
    // Before it is sent, because a program that has got its answer may end before this thread goes
    // on.
    int packets = carriesLong ? 1 + Bth.further(packet, 0) : 1;
    tally.traffic(Counter.PACKETS_SENT, packets, Counter.BYTES_SENT, total);
    if (sendsAtOnce) {
      if (!sendOrWithdraw()) {
        tally.traffic(Counter.PACKETS_SENT, -packets, Counter.BYTES_SENT, -total);
        return 0;
      }
    } else if (batch.endsFull()) {
      send();
    }
    if (isFlush) {
      flushes.sent(packet, asRxe);
    }
    return place == 0 ? total + Link.RUN_CHARGE : total;
  }

  /** Lets the packet leave before the acknowledgement that waits; see {@link #commit}. */
  private boolean overtake(int total, Route route) {
    if (!Opcode.isRequest(Bth.opcode(packet, 0)) || !batch.addBeforeLast(total, route)) {
      return false;
    }
    if (needsIcrc) {
      // The place of the acknowledgement in the run is now another one.
      icrc.identification(1, true);
      icrc.seal(batch.last(), 0, ACKNOWLEDGE_LENGTH);
    }
    return true;
  }

  /** If nothing can wait: sends the packet, or withdraws it. */
  private boolean sendOrWithdraw() {
    try {
      return send();
    } finally {
      if (!batch.isEmpty()) {
        batch.withdraw();
      }
    }
  }

  /** Sends the waiting packets; returns false if the link currently takes no more. */
  private boolean send() {
    boolean all = link.send(batch, clock.now());
    heldUntil = holds ? link.deadline() : Clock.NEVER;
    waiting = !all || heldUntil != Clock.NEVER;
    return all;
  }

  /**
   * Sends the committed packets of all threads, which are {@link #waiting}. What the link refuses
   * leaves with a later call, by the next thread that takes a turn. If another thread has the
   * guard, that one sends them, now or when it ends its work.
   */
  public void flush() {
    long deadline;
    boolean left;
    if (!guard.tryEnter()) {
      return;
    }
    try {
      left = !closed && !send();
      deadline = heldUntil;
      heldUntil = Clock.NEVER;
      waiting = left;
    } finally {
      guard.exit();
    }
    if (deadline != Clock.NEVER) {
      schedule.waker().deadlineIs(deadline);
    }
    if (left) {
      schedule.waker().workWaits();
    }
  }

  /** Prepares to send there; packets between IPv4 and IPv6 are lost. */
  private void aim(Route route) {
    Address from = link.address();
    Address to = route.destination();
    last = route;
    reached = to.isIpv4() == from.isIpv4();
    if (reached) {
      icrc.addresses(from, to, RocePorts.UDP_PORT, RocePorts.UDP_PORT);
    }
  }

  /** Whether somebody can be reached there now, see {@link Link#reaches}. */
  public boolean reaches(Address to) {
    guard.enter();
    try {
      return !closed && link.reaches(to, clock.now());
    } finally {
      guard.exit();
    }
  }

  /** See {@link Link#exports}. */
  public @Nullable Exports exports() {
    return link.exports();
  }

  /** See {@link Link#whyNoExports}. */
  public String whyNoExports() {
    return link.whyNoExports();
  }

  /** Sends nothing. */
  void abandon() {
    guard.exit();
  }

  /** Sends the waiting packets; from now on every packet is lost. */
  public void close() {
    guard.enter();
    try {
      if (!closed && !batch.isEmpty()) {
        send();
      }
      closed = true;
      waiting = false;
    } finally {
      guard.exit();
    }
  }

  /** Packets of this much payload, without other headers, that leave together. */
  int run(int mtu) {
    int length = Bth.LENGTH + mtu + RocePacket.ICRC_LENGTH;
    return Math.min(link.mostSegments(), SendBatch.mostInRun(length));
  }

  /** See {@link Link#longPayload}. */
  int longPayload() {
    return link.longPayload();
  }

  /** See {@link Link#mostInFlight}. */
  int mostInFlight(int payload) {
    return link.mostInFlight(payload);
  }

  /** See {@link Link#mostInFlightOf}. */
  int mostInFlightOf(int charge, int largest, int peerBuffer) {
    return link.mostInFlightOf(charge, largest, peerBuffer);
  }

  /** See {@link Link#mostAnswersInFlight}. */
  int mostAnswersInFlight(int mtu) {
    return link.mostAnswersInFlight(mtu);
  }
}
