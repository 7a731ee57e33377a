package dev.verbena.examples.paths;

import dev.verbena.mad.MadTransactor;
import dev.verbena.mad.Mads;
import dev.verbena.mad.PathResolver;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.path.Paths;

/**
 * A queue pair that is its own peer, the shortest possible connection.
 *
 * @param path the path from its port to its port
 */
record SelfLoop(QueuePair qp, IbPath path) {

  /** Creates one in RESET, with the path that takes it to RTS. */
  static SelfLoop in(ProtectionDomain pd, CompletionQueue cq) {
    Context ctx = pd.context();
    EndPort endPort = ctx.endPort();
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq).maxSendWr(16).maxRecvWr(16).sqSigAll(true));
    try (MadTransactor mad = Mads.getGmpMad(endPort, ctx)) {
      IbPath there = IbPath.builder(endPort).dgid(endPort.defaultGid()).build();
      IbPath filled = Paths.fillPath(qp, PathResolver.resolvePath(mad, there));
      // It sends to itself, so both sides have the same number and the same start PSN.
      IbPath back =
          filled.copy(
              path -> path.dqpn(qp.qpNum()).dqpsn(filled.sqpsn()).retries(7).minRnrTimer(12));
      return new SelfLoop(qp, back);
    }
  }
}
