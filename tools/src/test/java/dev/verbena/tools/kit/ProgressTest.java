package dev.verbena.tools.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private final StringWriter told = new StringWriter();
  private final List<Runnable> ticking = new ArrayList<>();
  private final ProgressReporter reporter =
      new ProgressReporter(
          new PrintWriter(told),
          (_, tick) -> {
            ticking.add(tick);
            return () -> ticking.remove(tick);
          });

  @Test
  void eachLineTellsWhatIsDoneByThen() {
    try (Progress progress = reporter.begin("a run", 400)) {
      for (int messages : new int[] {1, 1, 399}) {
        progress.at(messages);
        ticking.forEach(Runnable::run);
      }
    }

    assertThat(told.toString().lines())
        .containsExactly(
            "a run: 5 s, 1 messages of 400 (0 %)",
            "a run: 10 s, 1 messages of 400 (0 %)", "a run: 15 s, 399 messages of 400 (99 %)");
  }

  @Test
  void aRunThatIsOverTellsNoMore() {
    Progress one = reporter.begin("one", 10);
    Progress other = reporter.begin("other", 0);
    one.close();
    other.at(7);
    ticking.forEach(Runnable::run);
    other.close();

    assertThat(told.toString().lines()).containsExactly("other: 5 s, 7 messages");
    assertThat(ticking).isEmpty();
  }
}
