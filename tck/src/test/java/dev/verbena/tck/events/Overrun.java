package dev.verbena.tck.events;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.QpState;

/** A completion queue that gets one completion more than it holds. */
final class Overrun {

  /** A queue pair of the right end's domain whose receives have filled the queue and one more. */
  static QpEnd of(TckLink link, QpPair pair, CompletionQueue small) {
    PairSetup setup = PairSetup.on(link);
    QpEnd left = setup.end(pair.left().context(), pair.left().pd());
    QpEnd right = setup.end(pair.right().pd(), pair.right().context().createCq(16), small);
    setup.connect(new QpPair(left, right));
    for (int i = 0; i <= small.cqe(); i++) {
      right.postRecv(i, right.sge(0, 8));
      left.qp().postSend(SendWrs.send(i, left.sge(0, 8)));
      if (i < small.cqe()) {
        left.sent(i);
      }
    }
    right.awaitState(QpState.ERR);
    return right;
  }

  private Overrun() {}
}
