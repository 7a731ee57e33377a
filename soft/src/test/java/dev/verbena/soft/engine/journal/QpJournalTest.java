package dev.verbena.soft.engine.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.link.KeptLog;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.RefusedRequest;
import dev.verbena.soft.transport.RefusedRequest.Cause;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Address;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import jdk.jfr.EventSettings;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is logged of a queue pair, and how often. */
class QpJournalTest {
  private static final List<String> EVENTS =
      List.of("RefusedRequest", "StateChange", "Retransmission", "Nak", "ReceiverNotReady");

  @TempDir Path folder;
  private final KeptLog log = new KeptLog();
  private final Failures failures = new Failures("soft9", new Tally());
  private final QpJournal journal = new QpJournal("soft9", new QpParameters(0x12), failures, log);
  private final RefusedRequest request = new RefusedRequest();

  private void refuse(Cause cause, boolean ends) {
    refuse(journal, cause, ends);
  }

  private void refuse(QpJournal by, Cause cause, boolean ends) {
    request.because(cause);
    request.of(Operation.WRITE, Address.ofIpv4(0x0a000002), 0x11, ends);
    by.refused(request);
  }

  @Test
  void aRefusalNamesDeviceQueuePairPeerOperationAndCause() {
    refuse(Cause.NO_RECEIVE, true);
    assertThat(log.lines())
        .containsExactly(
            "WARNING soft9 QP 0x12: WRITE from 10.0.0.2 QP 0x11 refused: no receive is posted");
  }

  @Test
  void atDebugItTellsOfStatesRetriesAndNaks() {
    journal.changed(QpState.RTR, QpState.RTS);
    journal.sendsAgain(5, /* silence= */ true);
    journal.nak(6, AethSyndrome.NAK_PSN_SEQUENCE_ERROR, /* sent= */ false);
    journal.nak(7, AethSyndrome.rnr(12), /* sent= */ true);
    assertThat(log.lines())
        .containsExactly(
            "DEBUG soft9 QP 0x12: RTR -> RTS",
            "DEBUG soft9 QP 0x12: sends again from psn 5: no answer came",
            "DEBUG soft9 QP 0x12: received NAK psn 6: PSN sequence error",
            "DEBUG soft9 QP 0x12: sent RNR NAK psn 7, wait 640 us");
  }

  /** The events of one device, not those of tests that run at the same time. */
  private List<RecordedEvent> record(String device, boolean all, Consumer<QpJournal> act)
      throws IOException {
    QpParameters parameters = new QpParameters(0x12);
    parameters.peer(Address.ofIpv4(0x0a000003));
    parameters.destQpn(0x13);
    QpJournal recorded = new QpJournal(device, parameters, failures, log);
    try (Recording recording = new Recording()) {
      for (String name : EVENTS) {
        EventSettings settings = recording.enable("dev.verbena." + name);
        if (all) {
          settings.with("throttle", "off");
        }
      }
      recording.start();
      act.accept(recorded);
      recording.stop();
      Path file = folder.resolve("journal.jfr");
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> event.getEventType().getName().startsWith("dev.verbena."))
          .filter(event -> event.getString("device").equals(device))
          .toList();
    }
  }

  @Test
  void aRecordingHasAnEventOfEachKindWithItsReason() throws IOException {
    List<RecordedEvent> events =
        record(
            "recorded",
            true,
            recorded -> {
              refuse(recorded, Cause.QKEY, false);
              refuse(recorded, Cause.UNLIKELY_PSN, false);
              recorded.changed(QpState.RTR, QpState.RTS);
              recorded.sendsAgain(5, /* silence= */ true);
              recorded.sendsAgain(5, /* silence= */ false);
              recorded.nak(6, AethSyndrome.NAK_PSN_SEQUENCE_ERROR, /* sent= */ false);
              recorded.nak(7, AethSyndrome.rnr(12), /* sent= */ true);
            });
    assertThat(events)
        .allMatch(event -> event.getInt("qpNum") == 0x12)
        .extracting(QpJournalTest::line)
        .containsExactlyInAnyOrder(
            "RefusedRequest 10.0.0.2 17 QKEY",
            "RefusedRequest 10.0.0.2 17 UNLIKELY_PSN",
            "StateChange 10.0.0.3 19 RTR RTS",
            "Retransmission 10.0.0.3 19 TIMEOUT",
            "Retransmission 10.0.0.3 19 GAP",
            "Nak 10.0.0.3 19 PSN_SEQUENCE_ERROR",
            "ReceiverNotReady 10.0.0.3 19");
  }

  private static String line(RecordedEvent event) {
    String line =
        event.getEventType().getName().substring("dev.verbena.".length())
            + " "
            + event.getString("peer")
            + " "
            + event.getInt("peerQpNum");
    if (event.hasField("reason")) {
      return line + " " + event.getString("reason");
    }
    return event.hasField("from")
        ? line + " " + event.getString("from") + " " + event.getString("to")
        : line;
  }

  @Test
  void aFloodDoesNotFillARecording() throws IOException {
    int flood = 100_000;
    List<RecordedEvent> events =
        record(
            "flooded",
            false,
            recorded -> {
              for (int i = 0; i < flood; i++) {
                refuse(recorded, Cause.QKEY, false);
              }
            });
    assertThat(events.size()).isLessThan(flood / 2);
  }

  @Test
  void whatEndsNothingIsInformation() {
    refuse(Cause.QKEY, false);
    assertThat(log.lines()).hasSize(1).allMatch(line -> line.startsWith("INFO "));
  }

  @Test
  void aMissingReceiveIsNoNews() {
    log.least(System.Logger.Level.INFO);
    refuse(Cause.NO_RECEIVE, false);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void aThousandOfACauseMakeTenLinesAndHideNoOther() {
    for (int i = 0; i < 1000; i++) {
      refuse(Cause.QKEY, false);
    }
    refuse(Cause.PKEY, false);
    assertThat(log.lines()).hasSize(11);
    assertThat(log.lines().get(9)).endsWith("(512 times so far)");
  }

  @Test
  void theEndOfEachConnectionIsLoggedWhateverItsCause() {
    for (int i = 0; i < 3; i++) {
      journal.changed(QpState.INIT, QpState.RTR);
      refuse(Cause.QP_RIGHT, true);
    }
    assertThat(log.lines())
        .filteredOn(line -> line.startsWith("WARNING "))
        .hasSize(3)
        .noneMatch(line -> line.contains("times"));
  }

  @Test
  void anEndIsLoggedHoweverManyRequestsWereDroppedForTheSameCause() {
    for (int i = 0; i < 2; i++) {
      refuse(Cause.RECEIVE_TOO_SHORT, false);
    }
    refuse(Cause.RECEIVE_TOO_SHORT, true);
    assertThat(log.lines()).last().asString().startsWith("WARNING ");
  }

  @Test
  void anotherConnectionCountsDropsAnew() {
    for (int i = 0; i < 3; i++) {
      refuse(Cause.PKEY, false);
    }
    journal.changed(QpState.INIT, QpState.RTR);
    refuse(Cause.PKEY, false);
    assertThat(log.lines()).filteredOn(line -> line.startsWith("INFO ")).hasSize(3);
  }

  @Test
  void aFullHeapCostsTheLineAndNothingElse() {
    log.fail(Integer.MAX_VALUE);
    assertThatCode(() -> refuse(Cause.QKEY, false)).doesNotThrowAnyException();
    assertThat(failures.first()).as("no mistake of the library").isNull();
    log.fail(0);
    refuse(Cause.QKEY, false);
    assertThat(log.lines()).hasSize(1);
  }
}
