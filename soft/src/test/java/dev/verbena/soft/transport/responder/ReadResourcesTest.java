package dev.verbena.soft.transport.responder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import org.junit.jupiter.api.Test;

class ReadResourcesTest {
  @Test
  void roomForMoreForgetsNothing() {
    ReadResources resources = new ReadResources();
    resources.reset(2);
    for (int psn = 1; psn <= 3; psn++) {
      resources.rememberAtomic(psn, 10L * psn);
    }
    resources.ensure(4);
    assertThat(resources.findAtomic(1)).as("the oldest of three made place").isNegative();
    for (int last = 4; last <= 10; last++) {
      resources.rememberAtomic(last, 10L * last);
      for (int psn = Math.max(2, last - 3); psn <= last; psn++) {
        assertThat(resources.original(resources.findAtomic(psn))).isEqualTo(10L * psn);
      }
    }
  }

  @Test
  void flushesTakeThePlaceOfNothingElse() {
    ReadResources resources = new ReadResources();
    resources.reset(1);
    resources.rememberAtomic(1, 10);
    for (int psn = 2; psn < 1000; psn++) {
      resources.rememberFlush(psn);
    }
    assertThat(resources.findAtomic(1)).isZero();
    assertThat(resources.hasFlush(2)).as("as many as ever can be unanswered").isFalse();
    for (int psn = 900; psn < 1000; psn++) {
      assertThat(resources.hasFlush(psn)).isTrue();
    }
    assertThat(resources.firstBehind(990, 1005)).isEqualTo(991);
    resources.reset(1);
    assertThat(resources.hasFlush(999)).isFalse();
  }

  @Test
  @Proves("S4.5.3")
  void nothingIsRememberedBehindAReset() {
    for (int capacity : new int[] {4, 3, 8}) {
      ReadResources resources = new ReadResources();
      resources.reset(4);
      resources.rememberAtomic(1, 10);
      resources.rememberRead(2, 3);
      resources.rememberWrite(5);
      resources.rememberFlush(6);
      resources.reset(capacity);
      assertThat(resources.findAtomic(1)).isNegative();
      assertThat(resources.coversRead(2, 1)).isFalse();
      assertThat(resources.hasWrite(5)).isFalse();
      assertThat(resources.hasFlush(6)).isFalse();
      assertThat(resources.firstBehind(0, 7)).isEqualTo(7);
      for (int psn = 10; psn < 10 + capacity; psn++) {
        resources.rememberAtomic(psn, psn);
      }
      assertThat(resources.original(resources.findAtomic(10))).isEqualTo(10);
      resources.rememberAtomic(20, 20);
      assertThat(resources.findAtomic(10)).as("the oldest makes place").isNegative();
      assertThat(resources.findAtomic(11)).isNotNegative();
      assertThat(resources.findAtomic(1)).isNegative();
    }
  }

  @Test
  void whatIsNotCoveredIsNotFoundHoweverManyAreRemembered() {
    ReadResources resources = new ReadResources();
    resources.reset(3);
    for (int psn = 10; psn <= 30; psn += 10) {
      resources.rememberRead(psn, 5);
    }
    assertThat(resources.coversRead(40, 1)).isFalse();
    assertThat(resources.coversRead(10, 6)).isFalse();
    assertThat(resources.coversRead(9, 1)).isFalse();
    assertThat(resources.coversRead(10, 5)).isTrue();
    assertThat(resources.coversRead(34, 1)).isTrue();
  }

  @Test
  void thereMayBeNoRoomAtFirst() {
    ReadResources resources = new ReadResources();
    resources.reset(0);
    resources.ensure(1);
    resources.rememberRead(7, 3);
    assertThat(resources.coversRead(8, 2)).isTrue();
  }
}
