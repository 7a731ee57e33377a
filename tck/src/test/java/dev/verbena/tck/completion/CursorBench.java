package dev.verbena.tck.completion;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.WcExFlags;

/**
 * A connected pair whose left end reports everything into one queue that is read with a cursor.
 *
 * @param base owns the contexts
 * @param pair the ends
 * @param cq completions of the left end
 */
record CursorBench(QpPair base, QpPair pair, CompletionQueueEx cq) implements AutoCloseable {
  /** A queue that can read every standard field. */
  static CqInitAttrEx standard() {
    return new CqInitAttrEx(64).wcFlags(WcExFlags.STANDARD_FLAGS);
  }

  static CursorBench open(TckLink link) {
    return open(PairSetup.on(link), standard());
  }

  static CursorBench open(PairSetup setup, CqInitAttrEx attr) {
    QpPair base = setup.openUnconnected();
    try {
      CompletionQueueEx cq = base.left().context().createCqEx(attr);
      QpEnd left = setup.end(base.left().pd(), cq, cq);
      QpEnd right = setup.end(base.right().context(), base.right().pd());
      setup.connect(new QpPair(left, right));
      return new CursorBench(base, new QpPair(left, right), cq);
    } catch (RuntimeException | Error failure) {
      base.close();
      throw failure;
    }
  }

  QpEnd left() {
    return pair.left();
  }

  QpEnd right() {
    return pair.right();
  }

  /** Posts a signaled WRITE for each identifier. */
  void write(long... ids) {
    for (long id : ids) {
      left().qp().postSend(SendWrs.write(id, right(), 0, left().sge(0, 8)));
    }
  }

  /** Waits until the cursor is on a first completion. */
  void start() {
    Await.until("a completion to start with", cq::startPoll);
  }

  /** Waits until the cursor is on a next completion. */
  void next() {
    Await.until("the next completion under the cursor", cq::nextPoll);
  }

  @Override
  public void close() {
    base.close();
  }
}
