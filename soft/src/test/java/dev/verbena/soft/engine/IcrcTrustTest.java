package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** When the ICRC of a peer must be exact, and what forgers can make of that. */
class IcrcTrustTest {
  private final IcrcTrust trust = new IcrcTrust();

  private void exact(int count) {
    for (int i = 0; i < count; i++) {
      if (!trust.admits(true)) {
        throw new AssertionError("an exact packet was refused, the one with index " + i);
      }
    }
  }

  @Test
  void onlyAfterARunOfExactPacketsTheNextMustBeExact() {
    exact(IcrcTrust.FIRST - 1);
    assertThat(trust.admits(false)).isTrue();
    exact(IcrcTrust.FIRST);
    assertThat(trust.admits(false)).isFalse();
  }

  @Test
  void aPeerThatUsesIdsLosesNothing() {
    Random ids = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      assertThat(trust.admits(ids.nextInt(1 << 16) == 0)).isTrue();
    }
  }

  @Test
  void forgedExactPacketsCannotCutOffAPeerThatUsesIds() {
    int lost = 0;
    for (int i = 0; i < 2_000; i++) {
      // A thousand forged ones before each of the peer's.
      exact(1_000);
      lost += trust.admits(false) ? 0 : 1;
    }
    assertThat(lost).isLessThanOrEqualTo(8);
  }

  @Test
  void forgedOthersCannotMakeItCarelessForGood() {
    for (int i = 0; i < 100; i++) {
      exact(1 + i * 2_000);
      trust.admits(false);
    }
    exact(IcrcTrust.MOST);
    assertThat(trust.admits(false)).isFalse();
    // And as quick as at first.
    exact(2 * IcrcTrust.FIRST);
    assertThat(trust.admits(false)).isFalse();
  }

  @Test
  void anotherPeerIsJudgedAnew() {
    exact(IcrcTrust.FIRST);
    trust.reset();
    assertThat(trust.admits(false)).isTrue();
  }
}
