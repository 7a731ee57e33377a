package dev.verbena.tck.vtools;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.SendFlags;

/**
 * A pair whose right end's receives complete in a queue with or without channel, and its sends in
 * another queue with the same one.
 */
record Messages(QpPair base, QpPair pair, CompletionQueue cq) implements AutoCloseable {
  static Messages open(TckLink link, boolean withChannel) {
    PairSetup setup = PairSetup.on(link);
    QpPair base = setup.openUnconnected();
    Context context = base.right().context();
    CompletionQueue cq = newCq(context, withChannel);
    CompletionChannel channel = cq.channel();
    CompletionQueue sends = channel == null ? context.createCq(16) : context.createCq(16, channel);
    QpEnd right = setup.end(base.right().pd(), sends, cq);
    QpEnd left = setup.end(base.left().context(), base.left().pd());
    QpPair pair = new QpPair(left, right);
    setup.connect(pair);
    return new Messages(base, pair, cq);
  }

  private static CompletionQueue newCq(Context context, boolean withChannel) {
    return withChannel
        ? context.createCq(1024, context.createCompChannel())
        : context.createCq(1024);
  }

  Context context() {
    return pair.right().context();
  }

  /** Another queue in which nothing completes, with a channel of its own if this one has one. */
  CompletionQueue silentCq() {
    return newCq(context(), cq.channel() != null);
  }

  /** Posts a receive and sends to it; its completion comes a little later. */
  void send(long wrId, int flags) {
    QpEnd left = pair.left();
    pair.right().postRecv(wrId, pair.right().sge(0, 8));
    left.qp().postSend(SendWrs.send(wrId, left.sge(0, 8)).sendFlags(SendFlags.SIGNALED | flags));
    left.sent(wrId);
  }

  /** Sends so many messages, numbered from 0. */
  void sendAll(int count) {
    for (int i = 0; i < count; i++) {
      send(i, 0);
    }
  }

  @Override
  public void close() {
    base.close();
  }
}
