package dev.verbena.tck.kit.pairs;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import java.util.List;

/**
 * Two ends, connected unless they are of type UD, and the contexts to close.
 *
 * @param left the end from which most tests post
 * @param right its peer
 */
public record QpPair(QpEnd left, QpEnd right) implements AutoCloseable {

  /** A connected pair with the defaults of {@link PairSetup}. */
  public static QpPair open(TckLink link) {
    return PairSetup.on(link).open();
  }

  /** A pair of this type, connected unless that is UD, with the other defaults. */
  public static QpPair open(TckLink link, QpType type) {
    return PairSetup.on(link).type(type).open();
  }

  /** The same with left and right exchanged. */
  public QpPair reversed() {
    return new QpPair(/* left= */ right, /* right= */ left);
  }

  /** Both ends. */
  public List<QpEnd> ends() {
    return List.of(left, right);
  }

  /** Posts a signaled request at the left end, and awaits its success. */
  public void post(PostingApi api, SendWr wr) {
    api.post(left.qp(), wr);
    left.sent(wr.wrId());
  }

  /**
   * Posts a request at the left end, repeatedly on a lossy link, until the one posted receive of
   * the right end is complete.
   */
  public WorkCompletion deliver(TckLink link, PostingApi api, SendWr wr) {
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

  /**
   * Writes ones from the left end's memory to the peer's, again and again.
   *
   * @return the completion of the first WRITE that fails
   */
  public WorkCompletion writeUntilRefused(long length, int rkey, long address) {
    left.mr().memory().asSlice(0, length).fill((byte) 1);
    SendWr wr = SendWrs.write(1, right, 0, left.sge(0, length)).rkey(rkey).remoteAddr(address);
    WorkCompletion wc;
    do {
      left.qp().postSend(wr);
      wc = Await.completion(left.sendCq(), "a WRITE of " + length + " bytes");
    } while (wc.isSuccess());
    return wc;
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
