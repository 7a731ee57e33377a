package dev.verbena.tck.receiving;

import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import java.util.ArrayList;
import java.util.List;

/**
 * Several connections between two contexts, whose right ends take receives from one shared queue.
 * Every end has its own completion queues and memory.
 *
 * @param srq the shared queue, in the domain of the right ends
 * @param pairs the connections
 */
record SharedPairs(SharedReceiveQueue srq, List<QpPair> pairs) implements AutoCloseable {

  /** Connections with a shared queue of {@code maxWr} receives of 4 elements. */
  static SharedPairs open(PairSetup setup, int count, int maxWr) {
    QpPair base = setup.openUnconnected();
    try {
      SharedReceiveQueue srq = base.right().pd().createSrq(SrqInitAttr.basic(maxWr, 4));
      List<QpPair> pairs = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Context context = base.right().context();
        QpEnd left = setup.end(base.left().context(), base.left().pd());
        QpEnd right =
            setup.end(base.right().pd(), context.createCq(1024), context.createCq(1024), srq);
        QpPair pair = new QpPair(left, right);
        setup.connect(pair);
        pairs.add(pair);
      }
      return new SharedPairs(srq, pairs);
    } catch (RuntimeException | Error failure) {
      base.close();
      throw failure;
    }
  }

  /** One of the ends that send to them. */
  QpEnd left(int index) {
    return pairs.get(index).left();
  }

  /** One of the ends that take receives from the shared queue. */
  QpEnd right(int index) {
    return pairs.get(index).right();
  }

  /** Posts one receive to the shared queue. */
  void postRecv(long wrId, Sge... list) {
    srq.postRecv(new RecvWr().wrId(wrId).sgList(list));
  }

  @Override
  public void close() {
    pairs.getFirst().close();
  }
}
