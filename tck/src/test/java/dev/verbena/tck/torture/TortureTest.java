package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.WrOpcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Some seconds of {@link Torture}: mixed traffic of several queue pairs on bad networks. */
final class TortureTest {
  /** So many that the first losses, which meet a window without a limit, are few among all. */
  private static final int OPERATIONS = 4000;

  /** Packets that a time-out may send again: as many as may be in flight, if each is alone. */
  private static final int WINDOW = 69;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UDP|drop:0.05|3",
        "UDP|reorder:0.4|3",
        "UDP|drop:0.01,dup:0.02,reorder:0.02,delay:0.01@2ms,corrupt:0.01|4",
        "SHM|drop:0.05|3",
        "SHM|drop:0.01,dup:0.02,reorder:0.02,delay:0.01@2ms|4",
        "SHM|drop:0.01,dup:0.02,reorder:0.02,delay:0.01@2ms,corrupt:0.01|4"
      })
  @Proves("S12.11")
  void everyByteArrivesOnceAndNoConnectionIsLost(TckLink link, String faults, int most) {
    assumeTrue(TckLink.selected().contains(link), link + " is not to be tested");
    Options options =
        Options.parse(
            "left=" + link.device(),
            "right=" + link.device(),
            "faults=" + faults,
            "ops=" + OPERATIONS,
            "size=16384",
            "timeout=" + link.timeout(),
            "seed=" + TckLink.SEED % 100_000);
    Torture.Result result = Torture.run(options);
    assertThat(result.connectionsLost()).as("%s: %s", options, result.text()).isZero();
    assertThat(result.operations())
        .as("%s: %s", options, result.text())
        .isGreaterThanOrEqualTo(OPERATIONS);
    for (WrOpcode kind : Service.RC.kinds()) {
      assertThat(result.deeds().of(Service.RC, kind)).as("%s of %s", kind, options).isPositive();
    }
    // A pause of the computer looks like silence, and then all packets in flight may go out again.
    assertThat(result.count(Counter.RETRANSMITTED))
        .as("sent again: %s: %s", options, result.text())
        .isLessThanOrEqualTo(most * result.packetsLost() + WINDOW * result.count(Counter.TIMEOUTS));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UDP|drop:0.01,reorder:0.05",
        "SHM|drop:0.01,reorder:0.05",
        "UDP|reorder:0.05",
        "SHM|reorder:0.05"
      })
  void everyServiceSurvivesWhatTargetsDoToThemselves(TckLink link, String faults) {
    assumeTrue(TckLink.selected().contains(link), link + " is not to be tested");
    Options options =
        Options.parse(
            "left=" + link.device(),
            "right=" + link.device(),
            "faults=" + faults,
            "service=all",
            "mischief=all",
            "pairs=8",
            "size=8192",
            "timeout=" + link.timeout(),
            "seed=" + TckLink.SEED % 100_000);
    System.out.println(options);
    try (Session session = Session.open(options)) {
      session.drive(OPERATIONS);
      session.driveUntil("mischief", () -> session.disturbed() >= 5 && session.arrived() >= 100);
      session.finish();
      assertThat(session.lost()).as("connections lost without mischief").isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "UDP, half_file", "UDP, local_arena", "UDP, local_file",
    "SHM, half_file", "SHM, local_arena", "SHM, local_file"
  })
  void memoryThatIsGoneInPartOrAtThePosterEndsAConnection(TckLink link, String mischief) {
    assumeTrue(TckLink.selected().contains(link), link + " is not to be tested");
    Options options =
        Options.parse(
            "left=" + link.device(),
            "right=" + link.device(),
            "service=rc,xrc",
            "mischief=" + mischief,
            "timeout=" + link.timeout(),
            "seed=" + TckLink.SEED % 100_000);
    System.out.println(options);
    try (Session session = Session.open(options)) {
      session.driveUntil(mischief, () -> session.disturbed() >= 2);
      session.finish();
      assertThat(session.lost()).as("connections lost without mischief").isZero();
    }
  }

  @Test
  void onlyTimeEndsARunWithoutANumberOfOperations() {
    Options options =
        Options.parse(
            "left=soft:" + Addresses.next() + "?link=udp",
            "right=soft:" + Addresses.next() + "?link=udp",
            "seconds=1",
            "size=64",
            "seed=" + TckLink.SEED % 100_000);
    assertThat(options.isEnough(Long.MAX_VALUE)).isFalse();
    assertThat(Torture.run(options).nanos()).isGreaterThanOrEqualTo(1_000_000_000);
  }

  @Test
  @Proves("S1.6/11")
  void aConnectionIsLostOnOneSideAndTheOtherNoticesWhenItSends() {
    Options options =
        Options.parse(
            "left=soft:" + Addresses.next() + "?link=udp",
            "right=soft:" + Addresses.next() + "?link=udp",
            "faults=drop:0.1",
            "ops=50",
            "timeout=8",
            "retries=0",
            "seed=" + TckLink.SEED % 100_000);
    Torture.Result result = Torture.run(options);
    assertThat(result.connectionsLost()).as("%s: %s", options, result.text()).isPositive();
  }
}
