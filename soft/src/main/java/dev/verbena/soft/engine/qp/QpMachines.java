package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.progress.Attendance;
import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.progress.RankedGuard;
import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.engine.progress.Task;
import dev.verbena.soft.engine.tx.Transmitter;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.transport.Budget;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.DirectRun;
import dev.verbena.soft.transport.GuardedCount;
import dev.verbena.soft.transport.LocalOperations;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.Service;
import dev.verbena.soft.transport.Tally;
import dev.verbena.soft.transport.packets.LoopbackReplies;
import dev.verbena.soft.transport.packets.Outbox;
import dev.verbena.soft.transport.packets.PacketDecoder;
import dev.verbena.soft.transport.requester.Requester;
import dev.verbena.soft.transport.responder.Responder;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Address;
import dev.verbena.wire.Operation;
import dev.verbena.wire.RocePacket;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The protocol machines of a queue pair, each with the guard under which it runs. Passes them what
 * arrives; a doorbell or the {@link Schedule} keeps them going.
 *
 * <p>No doorbell is lost, although no thread waits for the guard of its machine: a thread that
 * finds the guard taken notes what is owed and tries once more, and the holder reads that note
 * after releasing the guard. The same note carries work that one half leaves for the other, and
 * work that is left when a budget is spent. A packet from a peer waits for the guard; it is not put
 * aside.
 */
public final class QpMachines extends Task {
  /** Owed: a run of the requester. */
  static final int SENDING = 1;

  /** Owed: answers of the responder to send, or receives to flush. */
  static final int ANSWERING = 2;

  private static final int BOTH = SENDING | ANSWERING;

  /**
   * Both halves are owed because one has met an error, and no thread has listed this yet; the next
   * thread that reads the note does.
   */
  private static final int FLUSH = 4;

  /** Comes with {@link #ANSWERING}. */
  private static final int ANNOUNCING = 8;

  /** Guard holds of one doorbell; each has a {@link Budget}. */
  private static final int SLICES = 4;

  /** From one CNP to the next, nanoseconds: as adapters do. */
  private static final long NOTIFICATION_INTERVAL = 50_000;

  private static final VarHandle OWED;

  static {
    try {
      OWED = MethodHandles.lookup().findVarHandle(QpMachines.class, "owed", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final QpCore core;
  private final Service service;
  private final QpStatus status;
  private final Tally tally;
  private final Schedule schedule;
  private final Attendance attendance;
  private final Clock clock;
  private final Transmitter transmitter;

  // To separate what two threads write, a budget and the responder have a gap in front of them, and
  // a guard has one behind it. Each budget precedes the guard of the same half.
  private final Budget sendBudget = new Budget();
  private final Guard requesterGuard = RankedGuard.make(Rank.REQUESTER);
  private final Requester requester;
  private final Budget answerBudget = new Budget();
  private final Guard responderGuard = RankedGuard.make(Rank.RESPONDER);
  private final Responder responder;
  private final ReceiveSource receives;

  /** Under the responder guard. */
  private final GuardedCount received;

  private final Outbox outbox;

  /** Engine time; under the responder guard. */
  private long nextNotification;

  private final IcrcTrust trust;
  private volatile boolean stopped;
  private volatile boolean sendingStopped;

  @SuppressWarnings("unused") // through OWED
  private volatile int owed;

  /** Written while no thread posts. */
  private boolean answersFirst;

  /** Machines in RESET. */
  QpMachines(
      QpCore core,
      CompletionRing sendRing,
      SendQueue sends,
      ReceiveSource source,
      LocalOperations local,
      Transmitter transmitter,
      Schedule schedule) {
    this.core = core;
    this.transmitter = transmitter;
    trust = new IcrcTrust(transmitter::peerIsAlike);
    this.schedule = schedule;
    attendance = schedule.attendance();
    clock = core.clock();
    service = core.service();
    status = core.status();
    tally = core.tally();
    received = tally.guarded(Counter.LOOPBACK_RECEIVED);
    requester = new Requester(core, sends, sendRing, local);
    receives = source;
    responder = new Responder(core, source);
    outbox = new Outbox(core, responder, transmitter::isPeerAlike);
  }

  /** Used under either guard, connected under both. */
  Transmitter transmitter() {
    return transmitter;
  }

  /** The guard of {@link #requester}. */
  Guard requesterGuard() {
    return requesterGuard;
  }

  Requester requester() {
    return requester;
  }

  /** The guard of {@link #responder} and {@link #outbox}. */
  Guard responderGuard() {
    return responderGuard;
  }

  Responder responder() {
    return responder;
  }

  /** The responder's answers that the link has not yet taken. */
  Outbox outbox() {
    return outbox;
  }

  @Override
  protected int number() {
    return core.parameters().qpNum;
  }

  /** Runs something under both guards. */
  void exclusively(Runnable what) {
    requesterGuard.enter();
    try {
      responderGuard.enter();
      try {
        what.run();
      } finally {
        responderGuard.exit();
      }
    } finally {
      requesterGuard.exit();
    }
  }

  /**
   * A request came in a packet. The caller holds link.rx, and takes a turn afterwards.
   *
   * @return false if it is the peer's, and was damaged on the way
   */
  public boolean request(Chunk request, IcrcMatch icrc, boolean congested) {
    boolean trusted = true;
    responderGuard.enter();
    try {
      if (service.datagram && status.receives()) {
        transmitter.listen();
      }
      Counter obstacle = responder.obstacle(request);
      boolean expected = obstacle == null && responder.expects(request);
      if (obstacle == null && !trusts(icrc, expected)) {
        trusted = false;
        obstacle = Counter.DROPPED_ICRC;
      }
      responder.receive(request, obstacle, outbox);
      if (congested && expected && trusted && service.connected) {
        // Otherwise a stranger, who does not know the sequence, could slow the peer down.
        notifyCongestion();
      }
      if (!outbox.isEmpty()) {
        owe(ANSWERING);
      }
    } catch (RuntimeException | Error e) {
      startOver();
      throw e;
    } finally {
      responderGuard.exit();
      readyIfOwing();
    }
    return trusted;
  }

  /**
   * A response came in a packet. The caller holds link.rx, and takes a turn afterwards.
   *
   * @return false if it is the peer's, and was damaged on the way
   */
  public boolean response(
      RocePacket packet, Address source, SpanList scratch, IcrcMatch icrc, boolean congested) {
    Counter obstacle;
    requesterGuard.enter();
    try {
      boolean awaited = requester.completer.awaits(packet.psn);
      obstacle = obstacle(packet, source, icrc, awaited);
      if (obstacle == null) {
        if (congested && awaited && packet.row.operation == Operation.READ_RESPONSE) {
          // This side has requested the data, so it is the one to send less.
          requester.congestionMet();
        }
        PacketDecoder.response(packet, scratch, requester.completer);
        owe(SENDING);
      } else {
        tally.count(obstacle);
      }
    } catch (RuntimeException | Error e) {
      startOver();
      throw e;
    } finally {
      requesterGuard.exit();
      readyIfOwing();
    }
    return obstacle != Counter.DROPPED_ICRC;
  }

  /**
   * Why a packet for the requester does not count, or null. The caller holds its guard.
   *
   * @param inSequence whether it has a PSN that the peer would send now
   */
  private @Nullable Counter obstacle(
      RocePacket packet, Address source, IcrcMatch icrc, boolean inSequence) {
    Counter obstacle =
        sendingStopped ? Counter.DROPPED_STALE_RESPONSE : core.obstacle(source, packet.pkey);
    return obstacle == null && !trusts(icrc, inSequence) ? Counter.DROPPED_ICRC : obstacle;
  }

  /**
   * Whether this packet, which is the peer's according to its headers, is like those that the peer
   * is known to send.
   */
  private boolean trusts(IcrcMatch icrc, boolean inSequence) {
    boolean tells = icrc == IcrcMatch.EXACT || icrc == IcrcMatch.OTHER_ID;
    return !tells || !service.connected || trust.admits(icrc == IcrcMatch.EXACT, inSequence);
  }

  /**
   * A CNP arrived; it counts if it is the peer's. The caller holds link.rx.
   *
   * @return false if it is the peer's, and was damaged on the way
   */
  public boolean congestionNotified(RocePacket packet, Address source, IcrcMatch icrc) {
    Counter obstacle;
    requesterGuard.enter();
    try {
      obstacle = obstacle(packet, source, icrc, /* inSequence= */ false);
      if (obstacle == null) {
        requester.congestionNotified();
      } else if (obstacle == Counter.DROPPED_ICRC) {
        tally.count(obstacle);
      }
    } finally {
      requesterGuard.exit();
    }
    readyIfOwing();
    return obstacle != Counter.DROPPED_ICRC;
  }

  /**
   * The peer says how much its receive buffer holds. That counts, as news of receives, only with
   * the PSN of the last ACK. The caller holds link.rx.
   *
   * @return false if it is the peer's, and was damaged on the way
   */
  public boolean bufferTold(RocePacket packet, Address source, IcrcMatch icrc) {
    int bytes = packet.bufferBytes();
    Counter obstacle;
    requesterGuard.enter();
    try {
      boolean isLast = requester.wasAcknowledgedLast(packet.psn);
      if (!service.acknowledged) {
        obstacle = Counter.DROPPED_QP_STATE;
      } else if (bytes < 0) {
        obstacle = Counter.DROPPED_MALFORMED;
      } else {
        obstacle = obstacle(packet, source, icrc, isLast);
      }
      if (obstacle == null && !isLast) {
        obstacle = Counter.DROPPED_STALE_RESPONSE;
      }
      if (obstacle == null) {
        transmitter.peerHas(bytes);
      } else {
        tally.count(obstacle);
      }
    } finally {
      requesterGuard.exit();
    }
    readyIfOwing();
    return obstacle != Counter.DROPPED_ICRC;
  }

  /** Under the responder guard: tells the peer by a CNP, from time to time. */
  private void notifyCongestion() {
    long now = clock.now();
    if (now >= nextNotification) {
      nextNotification = now + NOTIFICATION_INTERVAL;
      outbox.notifyCongestion();
      tally.count(Counter.CONGESTION_NOTIFICATIONS_SENT);
      owe(ANSWERING);
    }
  }

  /** Whether this is the peer's address. The caller holds link.rx, and takes a turn afterwards. */
  public boolean hasPeer(Address source) {
    responderGuard.enter();
    try {
      return source.equals(core.parameters().peer);
    } finally {
      responderGuard.exit();
      readyIfOwing();
    }
  }

  /** Within a change to RTR: the queue pair gets another peer. */
  void newPeer() {
    trust.reset();
  }

  /**
   * A chunk comes from a requester in this process, whose guard the caller holds.
   *
   * @return whether the chunk ended a message
   */
  boolean chunk(Chunk chunk, LoopbackReplies replies) {
    boolean ends;
    responderGuard.enter();
    try {
      replies.from(responder);
      responder.receive(chunk, responder.obstacle(chunk), replies);
      ends = chunk.last && !chunk.payloadGone;
      if (ends) {
        received.add(1);
      }
    } finally {
      responderGuard.exit();
    }
    handOver(ANSWERING);
    return ends;
  }

  /**
   * Whole messages come from a requester in this process, whose guard the caller holds.
   *
   * @return the number executed
   */
  int direct(DirectRun run, Budget budget) {
    int executed;
    responderGuard.enter();
    try {
      executed = run.over(responder, budget);
      received.add(executed);
    } finally {
      responderGuard.exit();
    }
    handOver(ANSWERING);
    return executed;
  }

  /** A frame was steered to this queue pair; the caller holds no responder guard. */
  public void frame(Chunk chunk) {
    responderGuard.enter();
    try {
      responder.receive(chunk);
    } finally {
      responderGuard.exit();
    }
    handOver(ANSWERING);
  }

  /** One half has met an error: notes that both must be flushed. Takes no guard. */
  void failed() {
    owe(BOTH | FLUSH);
  }

  /** Under both guards: the machines no longer run. */
  void stop() {
    sendingStopped = true;
    stopped = true;
  }

  /** Under both guards: the requester no longer runs. */
  void stopSending() {
    sendingStopped = true;
  }

  /** Whether no request waits for responses any more. */
  boolean isSendingStopped() {
    return sendingStopped;
  }

  /** Under both guards: sends the answers that are due, as far as the link takes them. */
  void sendLastAnswers() {
    answerBudget.refill();
    outbox.drain(transmitter, answerBudget);
    outbox.clear();
    transmitter.flush();
  }

  /**
   * Within a change to RTR: whether answers are packets, to the peer that also gets the requests.
   */
  void answersFirst(boolean whether) {
    answersFirst = whether;
  }

  /** Sends were published; the caller has released the post guard. */
  public void sendDoorbell() {
    if (answersFirst) {
      // A list of packets takes longer than the engine thread waits to see the program again.
      attendance.comes();
    }
    try {
      send();
      transmitter.flush();
    } catch (RuntimeException | Error e) {
      // Such as a full heap. Only this thread knows what is left to do.
      startOver();
      schedule.ready(this);
      throw e;
    } finally {
      if (answersFirst) {
        attendance.goes(clock.now());
      }
    }
  }

  private void send() {
    if (answersFirst) {
      // As with adapters, what a program sends in response to a message follows the acknowledgement
      // of that message; programs rely on it (ib_send_lat -e). The thread that holds the guard may
      // have completed the receive and not yet made the acknowledgement, so this waits, for at most
      // one slice of a budget.
      responderGuard.enter();
      answer();
      handOver(ANSWERING);
    }
    for (int slice = 0; slice < SLICES; slice++) {
      if (!trySending(Clock.NEVER)) {
        return;
      }
      if ((owed & SENDING) == 0 || !transmitter.isReady()) {
        break;
      }
    }
    handOver(SENDING);
  }

  /** Receives were published; the caller has released the post guard. */
  public void receiveDoorbell() {
    // Either this thread sees ERR, or that the peer waits, or the thread that has changed that sees
    // what this one has published.
    VarHandle.fullFence();
    if (status.state == QpState.ERR) {
      int mine = tryAnswering() ? ANSWERING : 0;
      handOver(mine);
      transmitter.flush();
    } else if (receives.isAwaited()) {
      // Not at once: often the program sends next, and this goes with it.
      owe(ANSWERING | ANNOUNCING);
      handOver(ANSWERING);
    }
  }

  /**
   * The queue pair was changed: does what that made possible. It goes through the schedule, so that
   * work which the change owes others, such as completions of a flush, is done as well.
   */
  void changed(long now) {
    owe(BOTH);
    schedule.readyForMe(this);
    schedule.turn(now, false);
    transmitter.flush();
  }

  @Override
  protected boolean serve(long now) {
    if ((owed & FLUSH) != 0) {
      settle(FLUSH);
    }
    int mine = FLUSH;
    // In this order: see sendDoorbell.
    if ((owed & ANSWERING) != 0 && tryAnswering()) {
      mine |= ANSWERING;
    }
    if ((owed & SENDING) != 0 && trySending(now)) {
      mine |= SENDING;
    }
    if ((owed & mine) == 0) {
      return false;
    }
    if (!transmitter.isReady()) {
      schedule.refused(this);
      return false;
    }
    schedule.readyForMe(this);
    return true;
  }

  /**
   * Runs the requester once; the rest is owed.
   *
   * @param now time, or {@link Clock#NEVER} to ignore the timer
   * @return false if the guard is taken; then its owner does it
   */
  private boolean trySending(long now) {
    if (!requesterGuard.tryEnter()) {
      owe(SENDING);
      if (!requesterGuard.tryEnter()) {
        return false;
      }
    }
    boolean more = false;
    try {
      if ((owed & SENDING) != 0) {
        settle(SENDING);
      }
      if (!sendingStopped) {
        if (now != Clock.NEVER && requester.deadline() <= now) {
          requester.onTimer(now);
        }
        sendBudget.refill();
        more = requester.run(sendBudget);
        keepTime();
      }
    } finally {
      requesterGuard.exit();
    }
    if (more) {
      owe(SENDING);
    }
    return true;
  }

  /** After a run of the requester: sets its timer, and its share of the peer window. */
  private void keepTime() {
    long deadline = requester.restIfDrained();
    if (deadline != Clock.NEVER && status.receives()) {
      schedule.arm(this, deadline);
    }
  }

  /** Sends answers and, in ERR, flushes receives; as {@link #trySending}. */
  private boolean tryAnswering() {
    if (!responderGuard.tryEnter()) {
      owe(ANSWERING);
      if (!responderGuard.tryEnter()) {
        return false;
      }
    }
    answer();
    return true;
  }

  /** Answers under the responder guard, which it releases. */
  private void answer() {
    boolean more = false;
    try {
      if ((owed & ANSWERING) != 0) {
        settle(ANSWERING);
      }
      if (!stopped) {
        if (status.state == QpState.ERR) {
          responder.flush();
        } else if ((owed & ANNOUNCING) != 0) {
          settle(ANNOUNCING);
          responder.announceReceives(outbox);
        }
        answerBudget.refill();
        more = outbox.drain(transmitter, answerBudget);
      }
    } finally {
      responderGuard.exit();
    }
    if (more) {
      owe(ANSWERING);
    }
  }

  /**
   * After all guards have been released: leaves to the next thread what is owed of {@code what},
   * and what one half left for the other. Other threads do the rest.
   */
  void handOver(int what) {
    if ((owed & (what | FLUSH)) != 0) {
      if (transmitter.isReady()) {
        schedule.ready(this);
      } else {
        schedule.refused(this);
      }
    }
  }

  /** Before the caller takes a turn: lists this queue pair if anything is owed. */
  void readyIfOwing() {
    if (owed != 0) {
      schedule.readyForMe(this);
    }
  }

  @Override
  protected void timeOver() {
    owe(SENDING);
  }

  @Override
  protected void startOver() {
    owe(BOTH | ANNOUNCING);
  }

  @Override
  protected boolean isRefused() {
    return transmitter.refused;
  }

  @Override
  protected void mayTryAgain() {
    transmitter.mayTryAgain();
  }

  // What is owed; any thread may note it.

  /** Notes work for the next thread that can take the guards. */
  private void owe(int what) {
    OWED.getAndBitwiseOr(this, what);
  }

  /**
   * Under the guard of that half: removes the note, because the work is being done. Callers ask
   * first whether there is one; mostly there is none, and this is an atomic write.
   */
  private void settle(int what) {
    OWED.getAndBitwiseAnd(this, ~what);
  }
}
