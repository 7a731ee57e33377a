package dev.verbena.soft.engine.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.RefusedRequest;
import dev.verbena.soft.transport.RefusedRequest.Cause;
import dev.verbena.soft.transport.Tally;
import dev.verbena.wire.Operation;
import dev.verbena.wire.RoceAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

/** What of a queue pair is logged, and how often. */
class QpJournalTest {
  /** Keeps what is logged. */
  private static final class Log implements System.Logger {
    final List<String> lines = new ArrayList<>();
    Level least = Level.ALL;
    boolean full;

    @Override
    public String getName() {
      return "log";
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.getSeverity() >= least.getSeverity();
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
      if (full) {
        throw new OutOfMemoryError("of the log");
      }
      lines.add(level + " " + text);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      log(level, bundle, format, (Throwable) null);
    }
  }

  private final Log log = new Log();
  private final Failures failures = new Failures("soft9", new Tally());
  private final QpJournal journal = new QpJournal("soft9", new QpParameters(0x12), failures, log);
  private final RefusedRequest request = new RefusedRequest();

  private void refuse(Cause cause, boolean ends) {
    request.because(cause);
    request.of(Operation.WRITE, 0, RoceAddress.fromIpv4(0x0a000002), 0x11, ends);
    journal.refused(request);
  }

  @Test
  void aRefusalNamesDeviceQueuePairPeerOperationAndCause() {
    refuse(Cause.NO_RECEIVE, true);
    assertThat(log.lines)
        .containsExactly(
            "WARNING soft9 QP 0x12: WRITE from 10.0.0.2 QP 0x11 refused: no receive is posted");
  }

  @Test
  void whatEndsNothingIsInformation() {
    refuse(Cause.QKEY, false);
    assertThat(log.lines).hasSize(1).allMatch(line -> line.startsWith("INFO "));
  }

  @Test
  void aMissingReceiveIsNoNews() {
    log.least = System.Logger.Level.INFO;
    refuse(Cause.NO_RECEIVE, false);
    assertThat(log.lines).isEmpty();
  }

  @Test
  void aThousandOfACauseMakeTenLinesAndHideNoOther() {
    for (int i = 0; i < 1000; i++) {
      refuse(Cause.QKEY, false);
    }
    refuse(Cause.PKEY, false);
    assertThat(log.lines).hasSize(11);
    assertThat(log.lines.get(9)).endsWith("(512 times so far)");
  }

  @Test
  void aFullHeapCostsTheLineAndNothingElse() {
    log.full = true;
    assertThatCode(() -> refuse(Cause.QKEY, false)).doesNotThrowAnyException();
    assertThat(failures.first()).as("no mistake of the library").isNull();
    log.full = false;
    refuse(Cause.QKEY, false);
    assertThat(log.lines).hasSize(1);
  }
}
