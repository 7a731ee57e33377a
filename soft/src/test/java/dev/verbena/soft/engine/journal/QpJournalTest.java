package dev.verbena.soft.engine.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.RefusedRequest;
import dev.verbena.soft.transport.RefusedRequest.Cause;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.RoceAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @TempDir Path folder;
  private final Log log = new Log();
  private final Failures failures = new Failures("soft9", new Tally());
  private final QpJournal journal = new QpJournal("soft9", new QpParameters(0x12), failures, log);
  private final RefusedRequest request = new RefusedRequest();

  private void refuse(Cause cause, boolean ends) {
    refuse(journal, cause, ends);
  }

  private void refuse(QpJournal by, Cause cause, boolean ends) {
    request.because(cause);
    request.of(Operation.WRITE, 0, RoceAddress.fromIpv4(0x0a000002), 0x11, ends);
    by.refused(request);
  }

  @Test
  void aRefusalNamesDeviceQueuePairPeerOperationAndCause() {
    refuse(Cause.NO_RECEIVE, true);
    assertThat(log.lines)
        .containsExactly(
            "WARNING soft9 QP 0x12: WRITE from 10.0.0.2 QP 0x11 refused: no receive is posted");
  }

  @Test
  void atDebugItTellsOfStatesRetriesAndNaks() {
    journal.changed(QpState.RTR, QpState.RTS);
    journal.sendsAgain(5, /* silence= */ true);
    journal.nak(6, AethSyndrome.NAK_PSN_SEQUENCE_ERROR, /* sent= */ false);
    journal.nak(7, AethSyndrome.rnr(12), /* sent= */ true);
    assertThat(log.lines)
        .containsExactly(
            "DEBUG soft9 QP 0x12: RTR → RTS",
            "DEBUG soft9 QP 0x12: sends again from psn 5: no answer came",
            "DEBUG soft9 QP 0x12: got NAK psn 6: PSN sequence error",
            "DEBUG soft9 QP 0x12: sent RNR NAK psn 7, wait 640 µs");
  }

  @Test
  void aRecordingHasAnEventOfEachKind() throws IOException {
    // A recording has the events of all tests that run meanwhile: this device is in no other.
    QpJournal recorded = new QpJournal("recorded", new QpParameters(0x12), failures, log);
    try (Recording recording = new Recording()) {
      recording.start();
      refuse(recorded, Cause.QKEY, false);
      recorded.changed(QpState.RTR, QpState.RTS);
      recorded.sendsAgain(5, /* silence= */ true);
      recorded.nak(6, AethSyndrome.NAK_PSN_SEQUENCE_ERROR, /* sent= */ false);
      recorded.nak(7, AethSyndrome.rnr(12), /* sent= */ true);
      recording.stop();
      Path file = folder.resolve("journal.jfr");
      recording.dump(file);
      assertThat(RecordingFile.readAllEvents(file))
          .filteredOn(event -> event.getEventType().getName().startsWith("dev.verbena."))
          .filteredOn(event -> event.getString("device").equals("recorded"))
          .allMatch(event -> event.getInt("qpNum") == 0x12)
          .extracting(event -> event.getEventType().getName())
          .containsExactlyInAnyOrder(
              "dev.verbena.RefusedRequest",
              "dev.verbena.StateChange",
              "dev.verbena.Retransmission",
              "dev.verbena.Nak",
              "dev.verbena.ReceiverNotReady");
    }
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
