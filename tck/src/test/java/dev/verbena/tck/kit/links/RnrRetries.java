package dev.verbena.tck.kit.links;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;

/** How often a sender retries with a peer that has no receive. */
public final class RnrRetries {
  /** Tries of a request for each time-out, once one has expired. */
  private static final int TRIES = 4;

  /**
   * Checks that a context whose only request has failed for lack of a receive made this number of
   * retries. On a link that repeats packets one RNR NAK may come twice, and spends one retry.
   */
  public static void assertSpent(TckLink link, Context sender, int retries) {
    long naks = sender.counters().get(Counter.RNR_NAKS_RECEIVED);
    assertThat(naks).as("RNR NAKs received").isGreaterThanOrEqualTo(retries + 1);
    if (!link.isFaulty()) {
      // On a computer so busy that a NAK took longer than the time-out, each try has had its own.
      long more = TRIES * sender.counters().get(Counter.TIMEOUTS);
      assertThat(naks).as("RNR NAKs received").isLessThanOrEqualTo(retries + 1 + more);
    }
  }

  private RnrRetries() {}
}
