package dev.verbena.tck.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.WcStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The software device's events in a recording of the JDK's flight recorder. One at a time, because
 * concurrent recordings share their periods.
 */
@Execution(ExecutionMode.SAME_THREAD)
final class FlightRecordingTest {
  private static final String COUNTER = "dev.verbena.DeviceCounter";
  private static final String DROPPED = "dev.verbena.DroppedPackets";

  @TempDir Path folder;

  @Test
  void aRecordingHasTheCountersAndWhatWasDropped() throws IOException {
    PairSetup setup = PairSetup.on(TckLink.PACKET).timeout(8).retryCnt(2);
    try (QpPair pair = setup.openUnconnected();
        Recording recording = new Recording()) {
      recording.enable(COUNTER).with("period", "endChunk");
      recording.enable(DROPPED).with("period", "endChunk");
      recording.start();
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      setup.toInit(right.qp());
      setup.connect(left.qp(), right.qp().endpoint());
      left.qp().postSend(SendWrs.write(1, right, 0, left.sge(0, 8)));
      left.awaitSend(1, WcStatus.RETRY_EXC_ERR);
      Await.until(
          "all packets arrived",
          () -> right.context().counters().get(Counter.DROPPED_QP_STATE) == 3);
      List<RecordedEvent> events = stop(recording);

      String sender = left.context().device().name();
      String receiver = right.context().device().name();
      for (Counter counter : Counter.values()) {
        assertThat(events)
            .filteredOn(event -> is(event, COUNTER, sender, "counter", counter.key()))
            .as(counter.key())
            .hasSize(1)
            .first()
            .extracting(event -> event.getLong("value"))
            .isEqualTo(left.context().counters().get(counter));
      }
      assertThat(events)
          .filteredOn(event -> event.getEventType().getName().equals(DROPPED))
          .filteredOn(event -> event.getString("device").equals(receiver))
          .hasSize(1)
          .allMatch(event -> is(event, DROPPED, receiver, "reason", "dropped_qp_state"))
          .allMatch(event -> event.getLong("packets") == 3);
    }
  }

  @Test
  void aDeviceThatIsClosedLeavesItsCountersInTheRecording() throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable(COUNTER).with("period", "1 h");
      recording.start();
      String device;
      long sent;
      try (QpPair pair = PairSetup.on(TckLink.PACKET).open()) {
        QpEnd left = pair.left();
        left.qp().postSend(SendWrs.write(1, pair.right(), 0, left.sge(0, 8)));
        left.awaitSend(1, WcStatus.SUCCESS);
        device = left.context().device().name();
        sent = left.context().counters().get(Counter.PACKETS_SENT);
      }
      assertThat(stop(recording))
          .filteredOn(event -> is(event, COUNTER, device, "counter", Counter.PACKETS_SENT.key()))
          .hasSize(1)
          .allMatch(event -> event.getLong("value") >= sent);
    }
  }

  private static boolean is(
      RecordedEvent event, String type, String device, String field, String value) {
    return event.getEventType().getName().equals(type)
        && event.getString("device").equals(device)
        && event.getString(field).equals(value);
  }

  private List<RecordedEvent> stop(Recording recording) throws IOException {
    Path file = Files.createTempFile(folder, "verbena", ".jfr");
    recording.stop();
    recording.dump(file);
    return RecordingFile.readAllEvents(file);
  }
}
