package dev.verbena.soft.transport.requester;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a silence counts as long. */
class AnswerTimeTest {
  private static final long NOW = 5000;

  private final AnswerTime answers = new AnswerTime();

  private void answerAfter(long nanos) {
    answers.begins(NOW);
    answers.ends(NOW + nanos);
  }

  @Test
  void aSilenceIsLongIfItIsMoreThanFourTimesTheSlowestAnswer() {
    answerAfter(100);
    assertThat(answers.isExceededBy(403)).isFalse();
    assertThat(answers.isExceededBy(404)).isTrue();
  }

  @Test
  void itIsWorthSendingAgainAfterSixteenTimesTheSlowestAnswerAndEachTimeTwiceAsLong() {
    answerAfter(100_000);
    assertThat(answers.longSilence(0)).isEqualTo(1_600_000);
    assertThat(answers.longSilence(1)).isEqualTo(3_200_000);
    assertThat(answers.longSilence(3)).isEqualTo(12_800_000);
  }

  @Test
  void howeverQuickAPeerAnswersItMayLoseItsProcessorForAMoment() {
    answerAfter(100);
    assertThat(answers.longSilence(0)).isEqualTo(300_000);
  }

  @Test
  void withoutAnAnswerNoSilenceIsLong() {
    assertThat(answers.isExceededBy(Long.MAX_VALUE)).isFalse();
    answerAfter(1);
    answers.reset();
    assertThat(answers.isExceededBy(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void oneSlowAnswerIsForgottenAfterSomeQuickOnes() {
    answerAfter(10_000);
    answerAfter(10);
    assertThat(answers.isExceededBy(1000)).isFalse();
    for (int i = 0; i < 20; i++) {
      answerAfter(10);
    }
    assertThat(answers.isExceededBy(1000)).isTrue();
  }

  @Test
  void anAnswerSoonAfterALaterTryTellsNothingOfTheFirst() {
    answerAfter(100);
    answers.begins(NOW);
    answers.triesAgain(NOW + 1000);
    answers.ends(NOW + 1100);
    assertThat(answers.isExceededBy(404)).isTrue();
  }

  @Test
  void anAnswerLongAfterALaterTryIsASlowOneToTheFirst() {
    answerAfter(100);
    answers.begins(NOW);
    answers.triesAgain(NOW + 1000);
    answers.ends(NOW + 1101);
    assertThat(answers.isExceededBy(4404)).isFalse();
    assertThat(answers.isExceededBy(4408)).isTrue();
  }
}
