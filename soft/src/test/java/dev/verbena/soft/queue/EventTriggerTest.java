package dev.verbena.soft.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import org.junit.jupiter.api.Test;

class EventTriggerTest {
  private long now = 1000;
  private final EventTrigger trigger = new EventTrigger(() -> now);

  @Test
  @Proves("S6.6")
  void anArmedTriggerFiresOnce() {
    assertThat(trigger.added(true)).as("not armed").isFalse();
    trigger.arm(false);
    assertThat(trigger.added(false)).isTrue();
    assertThat(trigger.added(true)).isFalse();
    trigger.arm(true);
    assertThat(trigger.added(false)).isFalse();
    assertThat(trigger.added(true)).isTrue();
    assertThat(trigger.added(true)).isFalse();
    trigger.arm(false);
    trigger.arm(true);
    assertThat(trigger.added(false)).as("any is stronger").isTrue();
    trigger.arm(true);
    trigger.arm(false);
    assertThat(trigger.added(false)).as("whichever comes first").isTrue();
    assertThat(trigger.deadline).isEqualTo(EventTrigger.NEVER);
  }

  @Test
  @Proves("S6.11")
  void aModeratedTriggerWaitsForTheCountOrThePeriodOfTheFirst() {
    assertThat(trigger.moderate(3, 500)).as("nothing waits").isFalse();
    trigger.arm(false);
    assertThat(trigger.added(false)).isFalse();
    assertThat(trigger.deadline).isEqualTo(1500);
    now = 1200;
    assertThat(trigger.added(false)).isFalse();
    assertThat(trigger.deadline).as("of the first").isEqualTo(1500);
    assertThat(trigger.added(false)).isTrue();
    assertThat(trigger.deadline).isEqualTo(EventTrigger.NEVER);

    trigger.arm(false);
    assertThat(trigger.added(false)).as("counts anew").isFalse();
    assertThat(trigger.deadline).isEqualTo(1700);
    assertThat(trigger.expired(1699)).isFalse();
    assertThat(trigger.deadline).isEqualTo(1700);
    assertThat(trigger.expired(1700)).isTrue();
    assertThat(trigger.expired(1701)).isFalse();
    assertThat(trigger.added(true)).as("not armed any more").isFalse();
  }

  @Test
  @Proves("S6.11")
  void whatWaitsIsRaisedWhenModerationChanges() {
    trigger.moderate(3, 500);
    trigger.arm(false);
    trigger.added(false);
    assertThat(trigger.moderate(5, 900)).isTrue();
    assertThat(trigger.moderate(5, 900)).isFalse();
    trigger.arm(false);
    assertThat(trigger.added(false)).isFalse();
    assertThat(trigger.deadline).isEqualTo(1900);
  }

  @Test
  @Proves("S6.11")
  void aCountOfOneOrNoPeriodIsNoModeration() {
    int[][] none = {{0, 500}, {1, 500}, {3, 0}};
    for (int[] values : none) {
      trigger.moderate(values[0], values[1]);
      trigger.arm(false);
      assertThat(trigger.added(false)).isTrue();
    }
    trigger.moderate(2, 1);
    trigger.arm(true);
    assertThat(trigger.added(false)).as("does not count").isFalse();
    assertThat(trigger.added(true)).isFalse();
    assertThat(trigger.added(false)).isFalse();
    assertThat(trigger.added(true)).isTrue();
  }
}
