package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

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
    resources.rememberAtomic(4, 40);
    assertThat(resources.findAtomic(1)).as("the oldest of three made place").isNegative();
    for (int psn = 2; psn <= 4; psn++) {
      assertThat(resources.original(resources.findAtomic(psn))).isEqualTo(10L * psn);
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
  void thereMayBeNoRoomAtFirst() {
    ReadResources resources = new ReadResources();
    resources.reset(0);
    resources.ensure(1);
    resources.rememberRead(7, 3);
    assertThat(resources.coversRead(8, 2)).isTrue();
  }
}
