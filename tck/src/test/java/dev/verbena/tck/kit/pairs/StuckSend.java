package dev.verbena.tck.kit.pairs;

import dev.verbena.tck.kit.Await;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.SendWr;

/** A SEND that was started and cannot complete, as its peer posted no receive. */
public final class StuckSend {

  /** Posts these from {@code end} and waits until the first was answered by an RNR NAK. */
  public static void post(QpEnd end, SendWr wrs) {
    long before = end.context().counters().get(Counter.RNR_NAKS_RECEIVED);
    end.qp().postSend(wrs);
    Await.until(
        "an RNR NAK for a SEND without a receive",
        () -> end.context().counters().get(Counter.RNR_NAKS_RECEIVED) > before);
  }

  private StuckSend() {}
}
