package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.device.Packing;
import dev.verbena.soft.device.Pair;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Mtu;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How much loss retries can repair, and what that costs, with several queue pairs and as many
 * packets in flight as on UDP. {@code -Dverbena.sim.operations=N} runs N operations on each
 * network, and {@code -Dverbena.sim.first=S} takes another seed.
 */
class LossyTrafficTest {
  private static final long OPERATIONS = Long.getLong("verbena.sim.operations", 2000);
  private static final long SEED = Long.getLong("verbena.sim.first", 1);
  private static final int PAIRS = 4;
  private static final int TIMEOUT = 13;

  /** Packets of 1 KiB that the receive buffer of a socket holds, with the defaults of Linux. */
  private static final int MOST_IN_FLIGHT = 69;

  @Test
  @Proves({"S12.11", "S12.5.7"})
  void noConnectionIsLostIfATwentiethOfThePacketsIs() {
    Outcome outcome = run("drop:0.05");
    assertThat(outcome.connectionsLost()).as("%s", outcome).isZero();
    assertCost(outcome, 3);
  }

  @Test
  @Proves({"S12.11", "S12.5.7"})
  void hardlyAConnectionIsLostIfAFifthOfThePacketsIs() {
    Outcome outcome = run("drop:0.2");
    assertThat(outcome.connectionsLost())
        .as("%s", outcome)
        .isLessThanOrEqualTo(Math.ceilDiv(OPERATIONS, 100_000));
    assertCost(outcome, 3);
  }

  @Test
  @Proves({"S12.11", "S12.5.7"})
  void noConnectionIsLostIfPacketsChangePlaces() {
    Outcome outcome = run("reorder:0.4");
    assertThat(outcome.connectionsLost()).as("%s", outcome).isZero();
    assertCost(outcome, 3);
  }

  @Test
  @Proves({"S12.11", "S12.5.7"})
  void noConnectionIsLostToAMixtureOfFaults() {
    Outcome outcome = run("drop:0.01,dup:0.01,reorder:0.01,delay:0.01@2ms");
    assertThat(outcome.connectionsLost()).as("%s", outcome).isZero();
    assertCost(outcome, 4);
  }

  /**
   * Checks the number of retransmitted packets for each lost one. Reordered and delayed packets
   * count as lost, because a receiver drops packets that come too early.
   */
  private static void assertCost(Outcome outcome, int most) {
    assertThat(outcome.sentAgain())
        .as("%s", outcome)
        .isLessThanOrEqualTo(most * (outcome.dropped() + outcome.exchanged() + outcome.delayed()));
  }

  private record Outcome(
      String network,
      long operations,
      long connectionsLost,
      long dropped,
      long exchanged,
      long delayed,
      long sentAgain,
      long timeouts,
      long naks,
      long longestGapMillis,
      long millis) {}

  private static Outcome run(String text) {
    FaultSpec faults = FaultSpec.parse(text + ",seed:" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    Scenario scenario =
        new Scenario(
            Mtu.MTU_1024,
            1,
            BatchSender.BATCH,
            8,
            7,
            false,
            false,
            false,
            faults,
            MOST_IN_FLIGHT,
            TIMEOUT,
            Packing.SINGLE);
    try (Pair pair = Pair.open(SEED, faults, false, MOST_IN_FLIGHT)) {
      Side left = new Side(pair.left(), random);
      Side right = new Side(pair.right(), random);
      List<BatchSender> senders = new ArrayList<>();
      for (int i = 0; i < PAIRS; i++) {
        senders.add(new BatchSender(pair, left, right, scenario, random));
      }
      drive(pair, senders);
      Outcome outcome =
          new Outcome(
              faults.toString(),
              done(senders),
              senders.stream().mapToLong(BatchSender::lost).sum(),
              count(pair, Counter.FAULTS_DROPPED),
              count(pair, Counter.FAULTS_REORDERED),
              count(pair, Counter.FAULTS_DELAYED),
              count(pair, Counter.RETRANSMITTED),
              count(pair, Counter.TIMEOUTS),
              count(pair, Counter.SEQUENCE_NAKS_RECEIVED),
              senders.stream().mapToLong(BatchSender::longestGap).max().orElse(0) / 1_000_000,
              pair.now() / 1_000_000);
      System.out.println(outcome);
      return outcome;
    }
  }

  private static void drive(Pair pair, List<BatchSender> senders) {
    boolean more = true;
    while (more || !senders.stream().allMatch(BatchSender::isIdle)) {
      for (BatchSender sender : senders) {
        sender.act(more);
      }
      if (!pair.step()) {
        pair.advance();
      }
      more &= done(senders) < OPERATIONS;
    }
  }

  private static long done(List<BatchSender> senders) {
    return senders.stream().mapToLong(BatchSender::done).sum();
  }

  private static long count(Pair pair, Counter counter) {
    return Stream.of(pair.left(), pair.right())
        .map(Context::counters)
        .mapToLong(counters -> counters.get(counter))
        .sum();
  }
}
