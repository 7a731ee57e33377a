package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Counter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Some seconds of {@link Torture}: mixed traffic of several queue pairs on bad networks. */
final class TortureTest {
  /** So many that the first losses, which meet a window without a limit, are few among all. */
  private static final int OPERATIONS = 4000;

  /** Packets that may be in flight at a time, with the defaults of Linux. */
  private static final int WINDOW = 69;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "drop:0.05|3",
        "reorder:0.4|3",
        "drop:0.01,dup:0.02,reorder:0.02,delay:0.01@2ms,corrupt:0.01|4"
      })
  @Proves("S12.11")
  void everyByteArrivesOnceAndNoConnectionIsLost(String faults, int most) {
    Options options =
        Options.parse(
            "left=soft:" + Addresses.next() + "?link=udp",
            "right=soft:" + Addresses.next() + "?link=udp",
            "faults=" + faults,
            "ops=" + OPERATIONS,
            "size=16384",
            "timeout=" + TckLink.UDP.timeout(),
            "seed=" + TckLink.SEED % 100_000);
    Torture.Result result = Torture.run(options);
    assertThat(result.connectionsLost()).as("%s: %s", options, result.text()).isZero();
    assertThat(result.operations())
        .as("%s: %s", options, result.text())
        .isGreaterThanOrEqualTo(OPERATIONS);
    // A pause of the computer looks like silence, and then all packets in flight may go out again.
    assertThat(result.count(Counter.RETRANSMITTED))
        .as("sent again: %s: %s", options, result.text())
        .isLessThanOrEqualTo(most * result.packetsLost() + WINDOW * result.count(Counter.TIMEOUTS));
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
