package dev.verbena.soft.engine.qp;

import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.progress.RankedGuard;
import dev.verbena.soft.engine.tx.Transmitter;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.transport.LocalOperations;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.packets.Outbox;
import dev.verbena.soft.transport.requester.Requester;
import dev.verbena.soft.transport.responder.Responder;

/**
 * The protocol machines of a queue pair, each with the guard under which it runs, and the way their
 * packets take.
 */
final class QpMachines {
  private final QpCore core;
  private final Transmitter transmitter;
  private final Guard requesterGuard;
  private final Requester requester;
  private final Guard responderGuard;
  private final Responder responder;
  private final Outbox outbox;

  /** Machines in RESET. */
  QpMachines(
      QpCore core,
      QpSetup setup,
      SendQueue sends,
      ReceiveSource source,
      LocalOperations local,
      Transmitter transmitter) {
    this.core = core;
    this.transmitter = transmitter;
    requesterGuard = RankedGuard.make(Rank.REQUESTER);
    requester = new Requester(core, sends, setup.sendCq(), local);
    responderGuard = RankedGuard.make(Rank.RESPONDER);
    responder = new Responder(core, source);
    outbox = new Outbox(core, responder);
  }

  /** What the machines have in common. */
  QpCore core() {
    return core;
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

  /** The responder's answers that the link has not taken yet. */
  Outbox outbox() {
    return outbox;
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
}
