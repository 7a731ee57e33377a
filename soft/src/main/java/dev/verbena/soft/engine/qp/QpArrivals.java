package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.tx.Transmitter;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.packets.LoopbackReplies;
import dev.verbena.soft.transport.packets.Outbox;
import dev.verbena.soft.transport.packets.PacketDecoder;
import dev.verbena.soft.transport.requester.Requester;
import dev.verbena.soft.transport.responder.Responder;
import dev.verbena.verbs.Counter;
import dev.verbena.wire.RocePacket;

/**
 * Takes what comes for a queue pair, as a packet, a frame or a chunk of the loopback, to the
 * protocol machine that it is for. Guards are waited for: nothing that came is put aside.
 */
public final class QpArrivals {
  private final QpCore core;
  private final Transmitter transmitter;
  private final Guard requesterGuard;
  private final Requester requester;
  private final Guard responderGuard;
  private final Responder responder;
  private final Outbox outbox;
  private final QpProgress progress;
  private final IcrcTrust trust = new IcrcTrust();

  QpArrivals(QpMachines machines, QpProgress progress) {
    this.progress = progress;
    core = machines.core();
    transmitter = machines.transmitter();
    requesterGuard = machines.requesterGuard();
    requester = machines.requester();
    responderGuard = machines.responderGuard();
    responder = machines.responder();
    outbox = machines.outbox();
  }

  /**
   * A request came in a packet. The caller holds link.rx, and takes a turn afterwards.
   *
   * @return false if it is of the peer, and was damaged on its way
   */
  public boolean request(Chunk request, IcrcMatch icrc) {
    boolean trusted = true;
    responderGuard.enter();
    try {
      if (core.service().isDatagram() && core.status().receives()) {
        transmitter.listen();
      }
      Counter obstacle = responder.obstacle(request);
      if (obstacle == null && !trusts(icrc, responder.expects(request))) {
        trusted = false;
        obstacle = Counter.DROPPED_ICRC;
      }
      if (obstacle == null) {
        responder.take(request, outbox);
      } else {
        core.tally().count(obstacle);
      }
      if (!outbox.isEmpty()) {
        progress.owe(Debts.ANSWERING);
      }
    } finally {
      responderGuard.exit();
    }
    progress.readyIfOwing();
    return trusted;
  }

  /**
   * A response came in a packet. The caller holds link.rx, and takes a turn afterwards.
   *
   * @return false if it is of the peer, and was damaged on its way
   */
  public boolean response(
      RocePacket packet, long srcHi, long srcLo, SpanList scratch, IcrcMatch icrc) {
    boolean trusted = true;
    requesterGuard.enter();
    try {
      Counter obstacle =
          progress.isSendingStopped()
              ? Counter.DROPPED_STALE_RESPONSE
              : core.obstacle(srcHi, srcLo, packet.pkey());
      if (obstacle == null && !trusts(icrc, requester.completer().awaits(packet.psn()))) {
        trusted = false;
        obstacle = Counter.DROPPED_ICRC;
      }
      if (obstacle == null) {
        PacketDecoder.response(packet, scratch, requester.completer());
        progress.owe(Debts.SENDING);
      } else {
        core.tally().count(obstacle);
      }
    } finally {
      scratch.clear();
      requesterGuard.exit();
    }
    progress.readyIfOwing();
    return trusted;
  }

  /**
   * Whether the peer is not known to send other packets than this, which is the peer's as far as
   * its headers tell.
   */
  private boolean trusts(IcrcMatch icrc, boolean inSequence) {
    boolean tells = icrc == IcrcMatch.EXACT || icrc == IcrcMatch.OTHER_ID;
    return !tells
        || !core.service().isConnected()
        || trust.admits(icrc == IcrcMatch.EXACT, inSequence);
  }

  /** Within a change to RTR: the peer is another one. */
  void newPeer() {
    trust.reset();
  }

  /** A chunk comes from a requester in this process, whose guard the caller holds. */
  void chunk(Chunk chunk, LoopbackReplies replies) {
    responderGuard.enter();
    try {
      replies.from(responder);
      responder.receive(chunk, replies);
    } finally {
      responderGuard.exit();
    }
    progress.handOverWithChores(Debts.ANSWERING);
  }

  /** A frame was steered to this queue pair; the caller holds no responder guard. */
  public void frame(Chunk chunk) {
    responderGuard.enter();
    try {
      responder.receive(chunk);
    } finally {
      responderGuard.exit();
    }
    progress.handOverWithChores(Debts.ANSWERING);
  }
}
