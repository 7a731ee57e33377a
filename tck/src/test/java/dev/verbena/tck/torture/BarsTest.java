package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What {@code bin/torture} finds fault with at the end. */
final class BarsTest {
  private static final long SECOND = 1_000_000_000;
  private static final Options ALONE = Options.parse("seed=1");
  private static final Options ATTACKED = Options.parse("seed=1", "attack=all");

  private static Torture.Result result(
      long operations, long connectionsLost, long longestGap, Map<Counter, Long> counters) {
    List<Long> left = new ArrayList<>(Torture.NO_COUNTERS);
    counters.forEach((counter, value) -> left.set(Torture.INTERESTING.indexOf(counter), value));
    return new Torture.Result(
        operations,
        deeds(operations, Service.RC),
        connectionsLost,
        0,
        0,
        0,
        SECOND,
        longestGap,
        0,
        Map.of(),
        left,
        Torture.NO_COUNTERS);
  }

  /** So many operations, of all kinds if there are enough, and most of one kind. */
  private static Deeds deeds(long operations, Service... services) {
    Deeds deeds = new Deeds();
    for (Service service : services) {
      service.kinds().forEach(kind -> deeds.add(service, kind, 1));
    }
    deeds.add(services[0], WrOpcode.SEND, operations - deeds.all());
    return deeds;
  }

  @Test
  void allOperationsMustBeDoneThatWereAskedForAndOtherwiseTimeAloneDecides() {
    Options options = Options.parse("seed=1", "ops=20000");
    assertThat(Bars.breaches(result(20_000, 0, 0, Map.of()), options)).isEmpty();
    assertThat(Bars.breaches(result(19_999, 0, 0, Map.of()), options))
        .containsExactly("only 19999 of 20000 operations were done");
    assertThat(Bars.breaches(result(0, 0, 0, Map.of()), ALONE)).isEmpty();
  }

  @Test
  void aLongRunHasOperationsOfEveryKindOfEachOfItsServices() {
    Options options = Options.parse("seed=1", "service=rc,ud", "batch=10");
    assertThat(Bars.missing(options, deeds(20_000, Service.RC, Service.UD))).isEmpty();
    Deeds without = deeds(20_000, Service.RC);
    without.add(Service.RC, WrOpcode.FLUSH, -1);
    without.add(Service.XRC, WrOpcode.FLUSH, 1);
    without.add(Service.UD, WrOpcode.SEND, 1);
    assertThat(Bars.missing(options, without))
        .containsExactlyInAnyOrder("no FLUSH of RC was done", "no SEND_WITH_IMM of UD was done");
    without.add(Service.RC, WrOpcode.SEND, -2);
    assertThat(Bars.missing(options, without)).isEmpty();
  }

  @Test
  void everyUnreliableMessageArrivesIfNothingLosesAny() {
    Options options = Options.parse("service=uc,ud");
    assertThat(Bars.silence(options, 1000, 1000, false)).isEmpty();
    assertThat(Bars.silence(options, 999, 1000, false))
        .containsExactly("999 of 1000 unreliable messages arrived, not at least 1000");
  }

  @Test
  void whereSomeMayBeLostHalfOfThoseArriveThatShould() {
    Options calm = Options.parse("service=uc,ud");
    assertThat(Bars.silence(calm, 500, 1000, true)).isEmpty();
    assertThat(Bars.silence(calm, 499, 1000, true)).hasSize(1);
    // Of messages of two packets, 0.9 times 0.9 arrive; or these times 0.9 to the fourth.
    Options lossy = Options.parse("service=uc", "size=2048", "faults=drop:0.1");
    assertThat(Bars.silence(lossy, 405, 1001, false)).isEmpty();
    assertThat(Bars.silence(lossy, 404, 1001, false)).hasSize(1);
    Options unordered = Options.parse("service=uc", "size=2048", "faults=drop:0.1,reorder:0.1");
    assertThat(Bars.silence(unordered, 265, 1000, false)).isEmpty();
    assertThat(Bars.silence(unordered, 264, 1000, false)).hasSize(1);
  }

  @Test
  void noConnectionMayBeLostIfATwentiethOfThePacketsIs() {
    Options options = Options.parse("seed=1", "faults=drop:0.03,corrupt:0.02");
    assertThat(Bars.breaches(result(1_000_000, 0, 0, Map.of()), options)).isEmpty();
    assertThat(Bars.breaches(result(1_000_000, 1, 0, Map.of()), options))
        .containsExactly("only 0 connections may be lost");
  }

  @Test
  void oneInAHundredThousandOperationsMayBeLostIfAFifthOfThePacketsIs() {
    Options options = Options.parse("seed=1", "faults=drop:0.2");
    assertThat(Bars.breaches(result(200_000, 2, 0, Map.of()), options)).isEmpty();
    assertThat(Bars.breaches(result(299_999, 3, 0, Map.of()), options))
        .containsExactly("only 2 connections may be lost");
    assertThat(Bars.breaches(result(100_032, 2, 0, Map.of()), options))
        .containsExactly("only 1 connections may be lost");
    assertThat(Bars.breaches(result(1, 1, 0, Map.of()), options)).isEmpty();
  }

  @Test
  void threePacketsMayBeSentAgainForEachLostOneAndFourOnAMixedNetwork() {
    Map<Counter, Long> three = Map.of(Counter.FAULTS_REORDERED, 10L, Counter.RETRANSMITTED, 30L);
    Map<Counter, Long> more = Map.of(Counter.FAULTS_REORDERED, 10L, Counter.RETRANSMITTED, 31L);
    Map<Counter, Long> mixed = Map.of(Counter.FAULTS_DELAYED, 10L, Counter.RETRANSMITTED, 40L);
    assertThat(Bars.breaches(result(1, 0, 0, three), ALONE)).isEmpty();
    assertThat(Bars.breaches(result(1, 0, 0, more), ALONE))
        .containsExactly("only 30 packets may be sent again");
    assertThat(Bars.breaches(result(1, 0, 0, more), ATTACKED)).isEmpty();
    assertThat(Bars.breaches(result(1, 0, 0, mixed), ALONE)).isEmpty();
  }

  @Test
  void aPauseOfTheComputerIsNoLoss() {
    Map<Counter, Long> counters = Map.of(Counter.RETRANSMITTED, 69L);
    assertThat(Bars.breaches(result(1, 0, 2 * SECOND, counters), ALONE)).isEmpty();
  }

  @Test
  void anAttackHasFiftyPacketsOfEachKindASecond() {
    assertThat(Bars.breaches(underAttack(500, 10 * SECOND), ATTACKED)).isEmpty();
    assertThat(Bars.breaches(underAttack(499, 10 * SECOND), ATTACKED))
        .containsExactly("only 499 packets of the attack BLIND, less than 500");
    assertThat(underAttack(499, SECOND).figures()).endsWith(", 10,499 packets of attackers");
  }

  private static Torture.Result underAttack(long guesses, long nanos) {
    Map<Attack, Long> attacks = new TreeMap<>(Map.of(Attack.NOISE, 10_000L, Attack.BLIND, guesses));
    List<Long> none = Torture.NO_COUNTERS;
    return new Torture.Result(
        1, deeds(1, Service.RC), 0, 0, 0, 0, nanos, 0, 0, attacks, none, none);
  }

  @Test
  void underAttackASecondMayPassWithoutProgress() {
    assertThat(Bars.breaches(result(1, 0, SECOND, Map.of()), ATTACKED)).isEmpty();
    assertThat(Bars.breaches(result(1, 0, SECOND + 1, Map.of()), ATTACKED))
        .containsExactly("only 1.0 s may pass without progress");
  }

  @Test
  void otherwiseTenSecondsMayAndFourTimesTheTimeOfAllRetries() {
    long longest = 10 * SECOND + 4 * 8 * (4096L << 13);
    assertThat(Bars.breaches(result(1, 0, longest, Map.of()), ALONE)).isEmpty();
    assertThat(Bars.breaches(result(1, 0, longest + 1, Map.of()), ALONE))
        .containsExactly("only 11.1 s may pass without progress");
  }

  @Test
  void whereBatchesFailAndRightlySoThereMayBeFourTimesTheTimeOfAllRetriesMore() {
    Options options = Options.parse("attack=all", "mischief=all", "timeout=18", "retries=3");
    long longest = SECOND + 4 * 4 * (4096L << 18);
    assertThat(Bars.breaches(result(1, 0, longest, Map.of()), options)).isEmpty();
    assertThat(Bars.breaches(result(1, 0, longest + 1, Map.of()), options))
        .containsExactly("only 18.2 s may pass without progress");
  }
}
