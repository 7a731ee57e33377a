package dev.verbena.soft.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AttendanceTest {
  private static final long LOOP = 20_000;
  private static final long SECOND = 1_000_000_000;

  private final Attendance attendance = new Attendance();

  @Test
  void whoHasJustLeftCountsForAsLongAsALoopTakes() {
    attendance.comes(SECOND);
    attendance.goes(SECOND + 1000);
    assertThat(attendance.isWithin(LOOP, SECOND + 1000 + LOOP)).isTrue();
    assertThat(attendance.isWithin(LOOP, SECOND + 1001 + LOOP)).isFalse();
  }

  @Test
  void aCallThatIsUnderWayCountsUntilItsThreadMustHaveLostItsProcessor() {
    attendance.comes(SECOND);
    assertThat(attendance.isWithin(LOOP, SECOND + 5 * LOOP)).isTrue();
    assertThat(attendance.isWithin(LOOP, SECOND + 1_000_000)).isFalse();
  }

  @Test
  void aDoorbellCountsWhereTheLastCallEndedJustBefore() {
    attendance.goes(SECOND);
    attendance.comes();
    assertThat(attendance.isWithin(LOOP, SECOND + 5 * LOOP)).isTrue();
    assertThat(attendance.isWithin(LOOP, 2 * SECOND)).isFalse();
  }
}
