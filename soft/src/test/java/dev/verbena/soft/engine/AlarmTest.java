package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.engine.progress.Alarm;
import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.transport.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AlarmTest {
  private static final long TICK = 1 << 16;

  private long now;

  @Test
  void anAlarmRingsOnceSoonAfterItsTimeAndNotBefore() {
    try (Lab lab = new Lab(() -> now, false, false)) {
      Engine engine = lab.engine();
      List<Long> rung = new ArrayList<>();
      Alarm alarm = engine.newAlarm(rung::add);
      assertThat(engine.nextDeadline()).isEqualTo(Clock.NEVER);
      alarm.set(1_000_000);
      assertThat(engine.nextDeadline()).isBetween(1_000_000L, 1_000_000 + TICK);
      now = 999_999;
      assertThat(engine.step(now)).isFalse();
      assertThat(rung).isEmpty();
      now = engine.nextDeadline();
      assertThat(engine.step(now)).isTrue();
      assertThat(rung).containsExactly(now);
      assertThat(engine.nextDeadline()).isEqualTo(Clock.NEVER);
      assertThat(engine.step(now + 1_000_000)).isFalse();
    }
  }

  @Test
  void anEarlierTimeCountsAndALaterOneIsSetWhenItRings() {
    try (Lab lab = new Lab(() -> now, false, false)) {
      Engine engine = lab.engine();
      List<Long> rung = new ArrayList<>();
      Alarm alarm = engine.newAlarm(rung::add);
      alarm.set(5_000_000);
      alarm.set(2_000_000);
      alarm.set(9_000_000);
      now = engine.nextDeadline();
      assertThat(now).isBetween(2_000_000L, 2_000_000 + TICK);
      engine.step(now);
      assertThat(rung).hasSize(1);
      alarm.set(9_000_000);
      assertThat(engine.nextDeadline()).isBetween(9_000_000L, 9_000_000 + TICK);
    }
  }

  @Test
  void anAlarmWhoseOwnerFoundNoHeapRingsAgainAfterAPause() {
    try (Lab lab = new Lab(() -> now, false, false)) {
      Engine engine = lab.engine();
      List<Long> rung = new ArrayList<>();
      Alarm alarm =
          engine.newAlarm(
              time -> {
                rung.add(time);
                if (rung.size() == 1) {
                  throw new OutOfMemoryError("of a test");
                }
              });
      alarm.set(1_000_000);
      now = engine.nextDeadline();
      engine.step(now);
      assertThat(engine.nextDeadline() - now)
          .isBetween(Schedule.PAUSE_NANOS, Schedule.PAUSE_NANOS + TICK);
      now = engine.nextDeadline();
      engine.step(now);
      assertThat(rung).hasSize(2);
      assertThat(engine.nextDeadline()).isEqualTo(Clock.NEVER);
    }
  }

  @Test
  void theThreadOfADeviceWakesForAnAlarm() throws InterruptedException {
    try (Lab lab = Lab.threaded(false)) {
      Engine engine = lab.engine();
      CountDownLatch rung = new CountDownLatch(1);
      engine.newAlarm(time -> rung.countDown()).set(engine.clock().now() + 2_000_000);
      assertThat(rung.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }
}
