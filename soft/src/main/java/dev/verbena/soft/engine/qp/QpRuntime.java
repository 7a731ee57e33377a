package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.progress.RankedGuard;
import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.engine.tx.Transmitter;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.OwnReceives;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.RecvQueue;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.transport.CongestionControl;
import dev.verbena.soft.transport.CongestionControls;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.Service;
import dev.verbena.soft.transport.Tally;
import dev.verbena.soft.transport.Unlimited;
import dev.verbena.soft.transport.frames.FrameOut;
import dev.verbena.soft.transport.packets.LoopbackReplies;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The running half of a queue pair: its queues and its life, from RESET to its end. {@link
 * QpMachines} does its work.
 */
public final class QpRuntime {
  private final Host host;
  private final PathChooser paths;
  private final CongestionControls controls;
  private final QpCore core;
  private final QpSetup setup;

  /** The queue pair's counters. */
  public final Tally tally;

  /** The service whose requests it executes, or null if it only sends. */
  private final @Nullable Service executed;

  private final boolean asks;

  private final Service service;

  private final QpParameters parameters;
  private final QpStatus status;
  private final SendQueue sends;
  private final RecvQueue receives;
  private final ReceiveSource source;
  private final Guard postGuard;

  /** Its protocol machines, which take what arrives for it. */
  public final QpMachines machines;

  private final LoopbackReplies loopbackReplies;
  private final QpExport export;

  /** Under both guards. */
  private boolean peerMayMissAnswers;

  public QpRuntime(
      Host host,
      PathChooser paths,
      CongestionControls controls,
      Schedule schedule,
      QpCore core,
      QpSetup setup,
      Transmitter transmitter) {
    this.host = host;
    this.paths = paths;
    this.controls = controls;
    this.core = core;
    this.setup = setup;
    tally = core.tally();
    service = core.service();
    executed = setup.serves() ? service : null;
    asks = setup.asks();
    parameters = core.parameters();
    status = core.status();
    sends = setup.newSends();
    receives = setup.newReceives();
    ReceiveSource shared = setup.shared();
    source = shared == null ? new OwnReceives(receives, setup.recvCq(), core.domain()) : shared;
    postGuard = setup.locksPosting() ? RankedGuard.make(Rank.POST) : Guard.NONE;
    WindowOperations local = new WindowOperations(core, host, this);
    machines = new QpMachines(core, setup.sendCq(), sends, source, local, transmitter, schedule);
    loopbackReplies = new LoopbackReplies(machines.requester().completer);
    export = new QpExport(host.address(), core);
    status.whenFailed(
        () -> {
          export.withdraw();
          machines.failed();
        });
    if (core.service().datagram) {
      sendOn(paths.datagrams(core, transmitter, loopbackReplies), new Unlimited());
    }
  }

  /** The queue pair's number. */
  public int qpNum() {
    return parameters.qpNum;
  }

  /** Whether it takes packets of this kind: of its service, and for a half that it has. */
  public boolean takes(Transport transport, boolean isRequest) {
    return (isRequest ? executed != null : asks) && service.isCarriedBy(transport);
  }

  /** Whether it executes requests of this service. */
  boolean executes(Service service) {
    return executed == service;
  }

  /** Its parts. */
  public QpSetup setup() {
    return setup;
  }

  /** The values set by modify; written only within {@link #change}. */
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

  /** Its own receive queue; empty if receives come from a shared one. */
  public RecvQueue receives() {
    return receives;
  }

  /** The guard that is held while posting. */
  public Guard postGuard() {
    return postGuard;
  }

  /**
   * Runs a change while nothing else happens to the queue pair, because it holds the post,
   * requester and responder guards. Then does what the change made possible.
   */
  public void change(Runnable change) {
    boolean posting = postGuard.isHeldByCurrentThread();
    if (!posting) {
      postGuard.enter();
    }
    try {
      machines.exclusively(
          () -> {
            change.run();
            export.follow();
          });
    } finally {
      if (!posting) {
        postGuard.exit();
      }
      machines.changed(host.clock().now());
    }
  }

  /**
   * Within a {@link #change} to RTR, after the parameters were set: chooses the path to the peer.
   */
  public void connect(Route route) {
    PathChooser.Reach reach = paths.reach(route);
    boolean usesPackets = reach.usesPackets();
    machines.transmitter().connect(route, reach.onHost(), usesPackets);
    export.connect(reach.exports());
    machines.newPeer();
    peerMayMissAnswers = reach.mayMissAnswers();
    machines.answersFirst(usesPackets && core.service().acknowledged);
    Path way = paths.connected(reach, route, core, machines.transmitter(), loopbackReplies);
    // Without acknowledgements nobody knows what is in flight.
    boolean limited = usesPackets && core.service().acknowledged;
    sendOn(way, limited ? controls.to(route.destination()) : new Unlimited());
  }

  /** Within a {@link #change} to RTR of a RAW_PACKET queue pair: sets the way of its frames. */
  public void connect(FrameOut frames) {
    sendOn(paths.frames(frames), new Unlimited());
  }

  private void sendOn(Path way, CongestionControl control) {
    machines.requester().connect(way, host.address(), control);
  }

  /** Within a {@link #change} to RTR: sets the first PSN to expect. */
  public void startReceives(int rqPsn) {
    machines.outbox().clear();
    machines.responder().start(rqPsn);
  }

  /** Within a {@link #change} from RTR to RTS: sets the first PSN to send. */
  public void startSends(int sqPsn) {
    machines.requester().start(sqPsn);
  }

  /**
   * Within a {@link #change} to SQD: starts to drain; {@code notify} asks for SQ_DRAINED at the
   * end.
   */
  public void drain(boolean notify) {
    machines.requester().drain(notify);
  }

  /** Within a {@link #change} to ERR: completes all requests with WR_FLUSH_ERR. */
  public void flush() {
    machines.requester().flush();
    machines.responder().flush();
  }

  /** Within a {@link #change} from SQE to RTS: requests posted in SQE still fail. */
  public void flushSends() {
    machines.requester().flush();
  }

  /** In SQD: whether every started request has finished; outside of a {@link #change}. */
  public boolean isDrained() {
    machines.requesterGuard().enter();
    try {
      return machines.requester().isDrained();
    } finally {
      machines.requesterGuard().exit();
      machines.handOver(QpMachines.SENDING);
    }
  }

  /** Within a {@link #change} to RESET: forgets all requests and the path to the peer. */
  public void reset() {
    machines.requester().reset();
    machines.requester().disconnect();
    machines.responder().reset();
    core.windows().unbindAll(core.owner());
    machines.outbox().clear();
    machines.transmitter().disconnect();
  }

  /**
   * After a {@link #change} to RESET: removes unpolled completions, as adapters do, so that a
   * program that reconnects does not take them for new. Those of receives from a shared queue stay,
   * because nothing else returns the buffer to the program.
   */
  public void forgetCompletions() {
    boolean receives = setup.shared() == null;
    setup.sendCq().purge(qpNum(), receives);
    if (setup.recvCq() != setup.sendCq()) {
      setup.recvCq().purge(qpNum(), receives);
    }
  }

  /**
   * Ends for the program, but goes on answering what the peer repeats, until {@link #detach}.
   *
   * @return false if the peer cannot miss an answer that this could give; then nothing is done
   */
  public boolean retire() {
    machines.exclusively(
        () -> {
          if (!peerMayMissAnswers || !status.receives() || !machines.responder().isEstablished()) {
            return;
          }
          export.end();
          machines.stopSending();
          machines.responder().retire();
          machines.sendLastAnswers();
          core.windows().unbindAll(core.owner());
          machines.requester().disconnect();
        });
    return machines.isSendingStopped() && status.receives();
  }

  /** Ends completely. */
  public void detach() {
    machines.exclusively(
        () -> {
          export.end();
          machines.responder().retire();
          machines.sendLastAnswers();
          machines.stop();
          status.state(QpState.RESET);
          core.windows().unbindAll(core.owner());
          machines.requester().disconnect();
          machines.transmitter().disconnect();
        });
  }

  /** Returns when no thread uses memory that it looked up before this call for this queue pair. */
  public void quiesce(Domain ofDomain) {
    if (core.domain().equals(ofDomain) || source.mayTouch(ofDomain)) {
      machines.requesterGuard().enter();
      machines.requesterGuard().exit();
      machines.handOver(QpMachines.SENDING);
      quiesceAnswers(ofDomain);
    }
  }

  /**
   * As {@link #quiesce}, for memory of the peer's requests only; the caller may hold requester
   * guards.
   */
  public void quiesceAnswers(Domain ofDomain) {
    if (core.domain().equals(ofDomain) || source.mayTouch(ofDomain)) {
      machines.responderGuard().enter();
      machines.responderGuard().exit();
      machines.handOver(QpMachines.ANSWERING);
    }
  }

  /** Returns when the peer has ended what it began before a region of this domain was withdrawn. */
  public void quiesceExport(Domain ofDomain) {
    if (core.domain().equals(ofDomain)) {
      export.quiesce();
    }
  }

  /**
   * Such as {@code QP 0x11 RC RTS -> 10.0.0.2 qpn 0x12}. Takes no guard, so during a change it may
   * show part of the old and part of the new state.
   */
  @Override
  public String toString() {
    String peer =
        core.service().connected && parameters.hasPeer()
            ? " -> " + parameters.peer + " qpn 0x" + Integer.toHexString(parameters.destQpn)
            : "";
    return "QP 0x" + Integer.toHexString(qpNum()) + " " + setup.type() + " " + status.state + peer;
  }

  /**
   * Describes its state in some lines for people. The caller holds no guard but poll and post
   * guards.
   */
  public String dump() {
    StringBuilder text = new StringBuilder().append(this).append('\n');
    machines.exclusively(
        () -> {
          status.dump(text);
          machines.requester().dump(text);
          machines.transmitter().dump(text);
          machines.responder().dump(text);
          text.append("  answers:   ").append(machines.outbox().size()).append(" not sent");
          text.append(machines.transmitter().isReady() ? "\n" : ", the link takes no packets\n");
          text.append("  receives:  ");
          source.dump(text);
          text.append('\n');
        });
    machines.handOver(QpMachines.SENDING | QpMachines.ANSWERING);
    return text.toString();
  }

  /**
   * From here to {@link #exitMemory} the caller, which holds no guard but the post guard, may touch
   * memory that it looks up by key, because no registration ends meanwhile.
   */
  public void enterMemory() {
    machines.requesterGuard().enter();
  }

  /** See {@link #enterMemory}. */
  public void exitMemory() {
    machines.requesterGuard().exit();
    machines.handOver(QpMachines.SENDING);
  }
}
