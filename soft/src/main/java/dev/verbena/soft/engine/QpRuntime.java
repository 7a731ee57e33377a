package dev.verbena.soft.engine;

import dev.verbena.soft.link.Route;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.OwnReceives;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.RecvQueue;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.transport.Budget;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.FramePath;
import dev.verbena.soft.transport.LoopbackReplies;
import dev.verbena.soft.transport.Outbox;
import dev.verbena.soft.transport.PacketDecoder;
import dev.verbena.soft.transport.PacketPath;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.Request;
import dev.verbena.soft.transport.Requester;
import dev.verbena.soft.transport.Responder;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.RocePacket;
import java.lang.invoke.VarHandle;

/**
 * The running half of a queue pair: its queues, its protocol machines and their guards.
 *
 * <p>No doorbell is lost, though nobody waits for a guard to ring one: who finds the guard taken
 * notes in {@link Debts} what is to be done and tries once more; whoever holds a guard looks there
 * after it has given the guard back. The same note carries what one half leaves for the other, and
 * what is left when a budget is spent.
 */
public final class QpRuntime implements Timed {
  /** Guard holds of one doorbell; each has a {@link Budget}. */
  private static final int SLICES = 4;

  private final Engine engine;
  private final Schedule schedule;
  private final QpCore core;
  private final QpSetup setup;
  private final QpParameters parameters;
  private final QpStatus status;
  private final SendQueue sends;
  private final RecvQueue receives;
  private final ReceiveSource source;
  private final Guard postGuard;
  private final Guard requesterGuard;
  private final Guard responderGuard;
  private final Requester requester;
  private final Responder responder;
  private final LoopbackReplies loopbackReplies;
  private final Outbox outbox;
  private final Debts debts;
  private final Transmitter transmitter;
  private final Budget sendBudget = new Budget();
  private final Budget answerBudget = new Budget();
  private final ReadyList.Node<QpRuntime> readyPlace = new ReadyList.Node<>(this);
  private final ReadyList.Node<QpRuntime> refusedPlace = new ReadyList.Node<>(this);
  private final TimerWheel.Entry<Timed> timer = new TimerWheel.Entry<>(this);
  private volatile boolean detached;

  QpRuntime(Engine engine, Schedule schedule, QpCore core, QpSetup setup, Transmitter transmitter) {
    this.engine = engine;
    this.schedule = schedule;
    this.transmitter = transmitter;
    this.core = core;
    this.setup = setup;
    parameters = core.parameters();
    status = core.status();
    debts = new Debts(status);
    sends = setup.newSends();
    receives = setup.newReceives();
    ReceiveSource shared = setup.shared();
    source = shared == null ? new OwnReceives(receives, setup.recvCq(), core.domain()) : shared;
    postGuard = setup.locksPosting() ? engine.newGuard(Rank.POST) : Guard.NONE;
    requesterGuard = engine.newGuard(Rank.REQUESTER);
    responderGuard = engine.newGuard(Rank.RESPONDER);
    WindowOperations local = new WindowOperations(core, engine, this);
    requester = new Requester(core, sends, setup.sendCq(), local);
    responder = new Responder(core, source);
    loopbackReplies = new LoopbackReplies(requester.completer());
    outbox = new Outbox(core, responder);
    if (core.service().isDatagram()) {
      requester.path(
          new DatagramPath(engine, transmitter, core, loopbackReplies),
          engine.localHi(),
          engine.localLo());
    }
  }

  /** The queue pair's number. */
  public int qpNum() {
    return parameters.qpNum();
  }

  /** The queue pair's counters. */
  public Tally tally() {
    return core.tally();
  }

  /** What it was made of. */
  public QpSetup setup() {
    return setup;
  }

  /** What was set by modify; written only within {@link #change}. */
  public QpParameters parameters() {
    return parameters;
  }

  /** The state; set only within {@link #change}. */
  public QpStatus status() {
    return status;
  }

  /** The send queue. */
  public SendQueue sends() {
    return sends;
  }

  /** The receive queue of its own; empty if receives come from a shared one. */
  public RecvQueue receives() {
    return receives;
  }

  /** Held while posting. */
  public Guard postGuard() {
    return postGuard;
  }

  /** Sends were published; the caller has released the post guard. */
  public void sendDoorbell() {
    for (int slice = 0; slice < SLICES; slice++) {
      if (!trySending(Clock.NEVER)) {
        return;
      }
      if (!debts.owes(Debts.SENDING) || !transmitter.isReady()) {
        break;
      }
    }
    handOver(Debts.SENDING | debts.collectChores());
  }

  /** Receives were published; the caller has released the post guard. */
  public void receiveDoorbell() {
    // Either this thread sees ERR, or who flushes sees what this thread has published.
    VarHandle.fullFence();
    if (status.state() == QpState.ERR) {
      int mine = tryAnswering() ? Debts.ANSWERING : 0;
      handOver(mine | debts.collectChores());
    }
  }

  /**
   * Runs a change while nothing else happens to the queue pair: the post, requester and responder
   * guards are held. Afterwards goes on with what the change made possible.
   */
  public void change(Runnable change) {
    boolean posting = postGuard.isHeldByCurrentThread();
    if (!posting) {
      postGuard.enter();
    }
    try {
      exclusively(change);
    } finally {
      if (!posting) {
        postGuard.exit();
      }
      owe(Debts.SENDING | Debts.ANSWERING);
      schedule.readyForMe(this);
      schedule.turn(engine.clock().now(), false);
    }
  }

  private void exclusively(Runnable change) {
    requesterGuard.enter();
    try {
      responderGuard.enter();
      try {
        change.run();
      } finally {
        responderGuard.exit();
      }
    } finally {
      requesterGuard.exit();
    }
  }

  /**
   * Within a {@link #change} to RTR, after the parameters were set: chooses how the peer is
   * reached.
   */
  public void connect(Route route) {
    boolean near = engine.directly(route) != null;
    transmitter.connect(route, !near);
    requester.path(
        near
            ? new Loopback(engine.fabric(), route, core, loopbackReplies)
            : new PacketPath(transmitter, core),
        engine.localHi(),
        engine.localLo());
  }

  /** Within a {@link #change} to RTR of a RAW_PACKET queue pair: where its frames go. */
  public void connect(EtherPort ether) {
    requester.path(new FramePath(ether.out(this)), engine.localHi(), engine.localLo());
  }

  /** Within a {@link #change} to RTR: the first PSN to expect. */
  public void startReceives(int rqPsn) {
    outbox.clear();
    responder.start(rqPsn);
  }

  /** Within a {@link #change} from RTR to RTS: the first PSN to send. */
  public void startSends(int sqPsn) {
    requester.start(sqPsn);
  }

  /** Within a {@link #change} to ERR: completes all requests with WR_FLUSH_ERR. */
  public void flush() {
    requester.flush();
    responder.flush();
  }

  /** In SQD: whether nothing that was started is unfinished; outside of a {@link #change}. */
  public boolean isDrained() {
    requesterGuard.enter();
    try {
      return requester.isDrained();
    } finally {
      requesterGuard.exit();
      handOver(Debts.SENDING);
    }
  }

  /** Within a {@link #change} to RESET: forgets all requests and how the peer was reached. */
  public void reset() {
    requester.reset();
    responder.reset();
    core.windows().unbindAll(core.owner());
    outbox.clear();
    transmitter.disconnect();
  }

  /** Takes part in nothing any more. */
  void detach() {
    exclusively(
        () -> {
          detached = true;
          status.state(QpState.RESET);
          core.windows().unbindAll(core.owner());
          transmitter.disconnect();
        });
  }

  /** Returns when no thread uses memory that it found before this call, on behalf of this. */
  void quiesce(Domain ofDomain) {
    if (core.domain().equals(ofDomain) || source.mayTouch(ofDomain)) {
      requesterGuard.enter();
      requesterGuard.exit();
      handOver(Debts.SENDING);
      quiesceAnswers(ofDomain);
    }
  }

  /** As {@link #quiesce} for what the peer's requests use; the caller may hold requester guards. */
  void quiesceAnswers(Domain ofDomain) {
    if (core.domain().equals(ofDomain) || source.mayTouch(ofDomain)) {
      responderGuard.enter();
      responderGuard.exit();
      handOver(Debts.ANSWERING);
    }
  }

  /**
   * From here to {@link #exitMemory} the caller, who holds no guard but the post guard, may touch
   * memory that it looks up by key: no registration ends meanwhile.
   */
  public void enterMemory() {
    requesterGuard.enter();
  }

  /** See {@link #enterMemory}. */
  public void exitMemory() {
    requesterGuard.exit();
    handOver(Debts.SENDING);
  }

  /** A request came in a packet. The caller holds link.rx, and takes a turn afterwards. */
  void requestArrived(Request request) {
    if (core.service().isDatagram()) {
      transmitter.listen();
    }
    responderGuard.enter();
    try {
      responder.receive(request, outbox);
      if (!outbox.isEmpty()) {
        owe(Debts.ANSWERING);
      }
    } finally {
      responderGuard.exit();
    }
    if (isOwing()) {
      schedule.readyForMe(this);
    }
  }

  /** A response came in a packet. The caller holds link.rx, and takes a turn afterwards. */
  void responseArrived(RocePacket packet, long srcHi, long srcLo, SpanList scratch) {
    requesterGuard.enter();
    try {
      Counter obstacle = core.obstacle(packet, srcHi, srcLo);
      if (obstacle == null) {
        PacketDecoder.response(packet, scratch, requester.completer());
        owe(Debts.SENDING);
      } else {
        core.tally().count(obstacle);
      }
    } finally {
      scratch.clear();
      requesterGuard.exit();
    }
    if (isOwing()) {
      schedule.readyForMe(this);
    }
  }

  /** A chunk comes from a requester in this process, whose guard the caller holds. */
  void deliver(Request chunk, LoopbackReplies replies) {
    responderGuard.enter();
    try {
      replies.from(responder);
      responder.receive(chunk, replies);
    } finally {
      responderGuard.exit();
    }
    handOver(Debts.ANSWERING | debts.collectChores());
  }

  /** A frame was steered to this queue pair; the caller holds no responder guard. */
  void frameArrived(Request chunk) {
    responderGuard.enter();
    try {
      responder.receive(chunk);
    } finally {
      responderGuard.exit();
    }
    handOver(Debts.ANSWERING | debts.collectChores());
  }

  /**
   * Does what is to be done, once. The caller takes care of what {@link #readyPlace} is listed for
   * again.
   *
   * @return whether a budget was spent
   */
  boolean serve(long now) {
    debts.collectChores();
    int mine = 0;
    if (debts.owes(Debts.SENDING) && trySending(now)) {
      mine |= Debts.SENDING;
    }
    debts.collectChores();
    if (debts.owes(Debts.ANSWERING) && tryAnswering()) {
      mine |= Debts.ANSWERING;
    }
    if (!debts.owes(mine | debts.collectChores())) {
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
   * Runs the requester once; what it leaves is owed.
   *
   * @param now time, or {@link Clock#NEVER} not to look at the timer
   * @return false if the guard is taken: its owner then does it
   */
  private boolean trySending(long now) {
    if (!requesterGuard.tryEnter()) {
      owe(Debts.SENDING);
      if (!requesterGuard.tryEnter()) {
        return false;
      }
    }
    boolean more = false;
    try {
      debts.settle(Debts.SENDING);
      if (!detached) {
        more = send(now);
      }
    } finally {
      requesterGuard.exit();
    }
    if (more) {
      owe(Debts.SENDING);
    }
    return true;
  }

  private boolean send(long now) {
    if (now != Clock.NEVER && requester.deadline() <= now) {
      requester.onTimer(now);
    }
    sendBudget.refill();
    boolean more = requester.run(sendBudget);
    if (transmitter.hasInFlight() && requester.isDrained()) {
      transmitter.nothingInFlight();
    }
    long deadline = requester.deadline();
    if (deadline != Clock.NEVER && status.receives()) {
      schedule.arm(this, deadline);
    }
    return more;
  }

  /** Sends answers and, in ERR, flushes receives; as {@link #trySending}. */
  private boolean tryAnswering() {
    if (!responderGuard.tryEnter()) {
      owe(Debts.ANSWERING);
      if (!responderGuard.tryEnter()) {
        return false;
      }
    }
    boolean more = false;
    try {
      debts.settle(Debts.ANSWERING);
      if (!detached) {
        if (status.state() == QpState.ERR) {
          responder.flush();
        }
        answerBudget.refill();
        more = outbox.drain(transmitter, answerBudget);
      }
    } finally {
      responderGuard.exit();
    }
    if (more) {
      owe(Debts.ANSWERING);
    }
    return true;
  }

  /**
   * After all guards were given back: leaves to whoever is next what is owed of {@code what}. The
   * rest is in the hands of others.
   */
  private void handOver(int what) {
    if (debts.owes(what)) {
      if (transmitter.isReady()) {
        schedule.ready(this);
      } else {
        schedule.refused(this);
      }
    }
  }

  private boolean isOwing() {
    debts.collectChores();
    return debts.owes(Debts.SENDING | Debts.ANSWERING);
  }

  /** Notes what is to be done. */
  void owe(int what) {
    debts.owe(what);
  }

  /** Whether the link took no packet the last time. */
  boolean isRefused() {
    return !transmitter.isReady();
  }

  /** The link may take packets again. */
  void mayTryAgain() {
    transmitter.mayTryAgain();
  }

  ReadyList.Node<QpRuntime> readyPlace() {
    return readyPlace;
  }

  ReadyList.Node<QpRuntime> refusedPlace() {
    return refusedPlace;
  }

  TimerWheel.Entry<Timed> timer() {
    return timer;
  }
}
