package dev.verbena.soft.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.link.KeptLog;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread's loop survives a full heap, also while it logs that. */
@Timeout(30)
class PerseveranceTest {
  private static final String DEVICE = "perseverance";

  private final KeptLog log = new KeptLog();
  private final Tally tally = new Tally();
  private final Failures failures = new Failures(DEVICE, tally, log);
  private int turns;

  /** Throws in the first {@code failing} of 20 turns. */
  private void run(int failing, Error error) {
    new Perseverance(failures, "in a test")
        .run(
            () -> turns == 20,
            () -> {
              turns++;
              if (turns <= failing) {
                throw error;
              }
            });
  }

  @Test
  void aFullHeapEndsNothingAndIsToldOnceThereIsMemoryAgain() {
    log.fail(3);
    run(5, new OutOfMemoryError("Java heap space"));
    assertThat(turns).isEqualTo(20);
    // Those of the log, too.
    assertThat(tally.get(Counter.HEAP_SHORTAGES)).isGreaterThanOrEqualTo(5);
    assertThat(log.lines()).isNotEmpty().allMatch(line -> line.startsWith("WARNING " + DEVICE));
    assertThat(failures.first()).as("no mistake of the library").isNull();
  }

  @Test
  void theWorkGoesOnWhileTheLogHasNoMemory() {
    log.fail(1_000);
    run(5, new OutOfMemoryError("Java heap space"));
    assertThat(turns).isEqualTo(20);
    assertThat(log.failing()).as("of the lines without memory").isPositive();
  }

  /** Like the JVM when memory ran out during the initialization of a class that logging needs. */
  @Test
  void aLogThatFailsForGoodIsNotAskedAgainForTheSameLine() {
    log.fail(2, new NoClassDefFoundError("Could not initialize class java.lang.CharacterData00"));
    IllegalStateException mistake = new IllegalStateException("mistake");
    failures.add("in a test", mistake);
    assertThat(failures.first()).isSameAs(mistake);
    failures.add("in a test", new OutOfMemoryError("Java heap space"));
    failures.report();
    assertThat(log.failing()).as("both lines were tried").isZero();
    failures.report();
    assertThat(log.lines()).isEmpty();
    assertThat(tally.get(Counter.HEAP_SHORTAGES)).isEqualTo(1);
  }

  @Test
  void aMistakeIsReportedThoughTheLogHadNoMemoryForItAtFirst() {
    IllegalStateException mistake = new IllegalStateException("mistake");
    log.fail(1);
    new Perseverance(failures, "in a test")
        .run(
            () -> turns == 3,
            () -> {
              turns++;
              if (turns == 1) {
                throw mistake;
              }
            });
    assertThat(failures.first()).isSameAs(mistake);
    assertThat(failures.count()).as("told twice, because of the log").isEqualTo(1);
    assertThat(log.lines()).anyMatch(line -> line.startsWith("ERROR") && line.contains(DEVICE));
  }

  @Test
  void aShortageThatTheLogHadNoMemoryForIsToldTheNextTime() {
    failures.add("in a test", new OutOfMemoryError("Java heap space"));
    log.fail(1);
    assertThatThrownBy(failures::report).isInstanceOf(OutOfMemoryError.class);
    assertThat(log.lines()).isEmpty();
    failures.report();
    failures.report();
    assertThat(log.lines()).hasSize(1);
    assertThat(tally.get(Counter.HEAP_SHORTAGES)).isEqualTo(1);
  }

  @Test
  void eachShortageIsCountedOnceWhicheverThreadReportsIt() throws InterruptedException {
    int each = 20_000;
    OutOfMemoryError shortage = new OutOfMemoryError("Java heap space");
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int time = 0; time < each; time++) {
                      failures.add("in a test", shortage);
                      failures.report();
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(tally.get(Counter.HEAP_SHORTAGES)).isEqualTo(4L * each);
    // At the 1st, and then at twice as many each time, or more.
    assertThat(log.lines()).hasSizeBetween(1, 18);
  }

  @Test
  void noRoomOnTheStackEndsNothingEither() {
    run(4, new StackOverflowError());
    assertThat(turns).isEqualTo(20);
    assertThat(failures.count()).isEqualTo(4);
  }
}
