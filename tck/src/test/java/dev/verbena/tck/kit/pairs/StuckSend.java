package dev.verbena.tck.kit.pairs;

import dev.verbena.tck.kit.Await;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.SendWr;

/** A SEND that has started and cannot complete, because its peer posted no receive. */
public final class StuckSend {

  /** Posts these from {@code end} and waits for an RNR NAK to the first. */
  public static void post(QpEnd end, SendWr wrs) {
    long before = end.context().counters().get(Counter.RNR_NAKS_RECEIVED);
    end.qp().postSend(wrs);
    Await.until(
        "an RNR NAK for a SEND without a receive",
        () -> end.context().counters().get(Counter.RNR_NAKS_RECEIVED) > before);
  }

  private StuckSend() {}
}
