package dev.verbena.tck.torture.crowd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.tck.kit.links.TckLink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Some seconds of {@link Crowd}. */
final class TortureCrowdTest {
  private static final String QUICK = "java=-XX:TieredStopAtLevel=1";

  @ParameterizedTest
  @CsvSource({"UDP, udp, 'stop,device,native'", "SHM, shm, kill", "SHM, auto, kill"})
  void twoProcessesGetAheadWhateverHappensToOne(TckLink tested, String link, String chaos)
      throws Exception {
    assumeTrue(TckLink.selected().contains(tested), tested + " is not to be tested");
    CrowdOptions options =
        CrowdOptions.parse(
            "processes=2",
            "chaos=" + chaos,
            "seconds=0",
            "link=" + link,
            "size=1024",
            "timeout=17",
            QUICK,
            "seed=" + TckLink.SEED % 100_000);
    System.out.println(options);
    assertThat(Crowd.run(options)).contains(", 0 connections lost");
  }

  @Test
  void eachMessageOfACrowdNamesItsLane() {
    assertThat(CrowdOptions.parse("pairs=64").lanes().pairs()).isEqualTo(64);
    assertThatThrownBy(() -> CrowdOptions.parse("pairs=65"))
        .hasMessage("in a crowd there are at most 64 pairs");
  }

  @Test
  void aMemberThatEndsIsAnError() {
    CrowdOptions options = CrowdOptions.parse("processes=2", "seed=5", QUICK + " -XX:NoSuchOption");
    assertThatThrownBy(() -> Crowd.run(options))
        .hasMessageContaining("seed 5")
        .hasMessageContaining("NoSuchOption");
  }
}
