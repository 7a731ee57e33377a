package dev.verbena.tck;

import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import java.util.List;

/**
 * Two ends, connected unless they are of type UD, and the contexts to close.
 *
 * @param left the end that most tests post from
 * @param right its peer
 */
record QpPair(QpEnd left, QpEnd right) implements AutoCloseable {

  /** A connected pair with the defaults of {@link PairSetup}. */
  static QpPair open(TckLink link) {
    return PairSetup.on(link).open();
  }

  /** The same with left and right exchanged. */
  QpPair reversed() {
    return new QpPair(/* left= */ right, /* right= */ left);
  }

  /** Both ends. */
  List<QpEnd> ends() {
    return List.of(left, right);
  }

  /** Posts a signaled request at the left end, and awaits its success. */
  void post(PostingApi api, SendWr wr) {
    api.post(left.qp(), wr);
    left.sent(wr.wrId());
  }

  /**
   * Posts a request at the left end, and again where packets get lost, until the one receive that
   * the right end has posted is complete.
   */
  WorkCompletion deliver(TckLink link, PostingApi api, SendWr wr) {
    WorkCompletion received = new WorkCompletion();
    post(api, wr);
    Await.until(
        "the receive of " + wr.opcode(),
        () -> {
          if (right.recvCq().poll(received)) {
            return true;
          }
          if (link.isFaulty()) {
            post(api, wr);
          }
          return false;
        });
    return received;
  }

  @Override
  public void close() {
    left.context().close();
    right.context().close();
  }

  @Override
  public String toString() {
    return left.context().device().spec() + " - " + right.context().device().spec();
  }
}
