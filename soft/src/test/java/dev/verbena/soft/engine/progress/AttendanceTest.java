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
  void whoHasReceivedManyMessagesCountsWhileHandlingThem() {
    attendance.comes(SECOND);
    attendance.goes(SECOND, 32);
    assertThat(attendance.isWithin(LOOP, SECOND + 3 * LOOP)).isTrue();
    assertThat(attendance.isWithin(LOOP, SECOND + 6 * LOOP)).isFalse();
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

  private void answers(int messages) {
    for (int i = 0; i < messages; i++) {
      attendance.comes(SECOND);
      attendance.messageCame();
      attendance.comes();
    }
  }

  /** A poll that receives a message. */
  private boolean expectsReply() {
    boolean expects = attendance.comes(SECOND);
    attendance.messageCame();
    return expects;
  }

  @Test
  void aProgramThatHasSentSomethingAfterEachMessageIsExpectedToDoSoAgain() {
    answers(Attendance.HABIT - 1);
    assertThat(expectsReply()).isFalse();
    attendance.comes();
    assertThat(expectsReply()).isTrue();
  }

  @Test
  void aProgramThatPollsAgainInsteadHasNoSuchHabit() {
    answers(2 * Attendance.HABIT);
    assertThat(expectsReply()).isTrue();
    assertThat(expectsReply()).isFalse();
  }

  @Test
  void pollsThatFindNoMessageChangeNoHabit() {
    answers(Attendance.HABIT);
    for (int i = 0; i < 100; i++) {
      attendance.comes(SECOND);
    }
    assertThat(expectsReply()).isTrue();
  }
}
