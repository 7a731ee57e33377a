package dev.verbena.soft.engine.qp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When the ICRC of a peer must be exact, and what a forger can do about it. */
class IcrcTrustTest {
  private final List<Boolean> told = new ArrayList<>();
  private final IcrcTrust trust = new IcrcTrust(told::add);

  private void exact(int count, boolean inSequence) {
    for (int i = 0; i < count; i++) {
      if (!trust.admits(true, inSequence)) {
        throw new AssertionError("an exact packet was refused, the one with index " + i);
      }
    }
  }

  @Test
  void onlyAfterARunOfExactPacketsTheNextMustBeExact() {
    exact(IcrcTrust.RUN - 1, true);
    assertThat(trust.admits(false, true)).isTrue();
    exact(IcrcTrust.RUN, true);
    assertThat(trust.admits(false, true)).isFalse();
  }

  @Test
  void tellsOnceThatThePeerHasProvenItselfAndOnceThatItHasNot() {
    exact(IcrcTrust.RUN - 1, true);
    assertThat(told).isEmpty();
    exact(100, true);
    assertThat(told).containsExactly(true);
    trust.admits(false, true);
    trust.admits(false, true);
    assertThat(told).containsExactly(true, false);
    exact(IcrcTrust.RUN, true);
    trust.reset();
    trust.reset();
    assertThat(told).containsExactly(true, false, true, false);
  }

  @Test
  void exactPacketsOutOfSequenceAreTakenAndDoNotCount() {
    exact(100 * IcrcTrust.RUN, false);
    assertThat(trust.admits(false, true)).isTrue();
    exact(IcrcTrust.RUN - 1, true);
    exact(100, false);
    assertThat(trust.admits(false, true)).isTrue();
  }

  @Test
  void aContradictionOutOfSequenceIsDroppedToo() {
    exact(IcrcTrust.RUN, true);
    assertThat(trust.admits(false, false)).isFalse();
  }

  @Test
  void aPeerThatUsesIdsLosesNothing() {
    long seed = 1;
    Random ids = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      assertThat(trust.admits(ids.nextInt(1 << 16) == 0, true)).as("seed %d", seed).isTrue();
    }
  }

  @Test
  void whoeverContradictsOftenEnoughIsBelievedForGood() {
    int lost = 0;
    for (int i = 0; i < 2_000; i++) {
      exact(1_000, true);
      lost += trust.admits(false, true) ? 0 : 1;
    }
    assertThat(lost).isEqualTo(IcrcTrust.CONTRADICTIONS);
  }

  @Test
  void anotherPeerIsJudgedAnew() {
    for (int i = 0; i < IcrcTrust.CONTRADICTIONS; i++) {
      exact(IcrcTrust.RUN, true);
      assertThat(trust.admits(false, true)).isFalse();
    }
    exact(IcrcTrust.RUN, true);
    trust.reset();
    assertThat(trust.admits(false, true)).isTrue();
    exact(IcrcTrust.RUN, true);
    assertThat(trust.admits(false, true)).isFalse();
  }
}
