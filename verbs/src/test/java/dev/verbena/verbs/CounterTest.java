package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The stable names of counters and links. */
class CounterTest {
  @Test
  void countersKeepTheirNames() {
    assertThat(Stream.of(Counter.values()).map(Counter::key))
        .containsExactly(
            "packets_sent",
            "packets_received",
            "bytes_sent",
            "bytes_received",
            "loopback_messages",
            "loopback_bytes",
            "loopback_received",
            "direct_messages",
            "direct_bytes",
            "retransmitted",
            "timeouts",
            "rnr_naks_sent",
            "rnr_naks_received",
            "sequence_naks_sent",
            "sequence_naks_received",
            "congestion_notifications_sent",
            "congestion_notifications_received",
            "duplicate_requests",
            "unlikely_psns",
            "invalid_requests",
            "access_errors",
            "dropped_malformed",
            "dropped_icrc",
            "dropped_no_qp",
            "dropped_qp_state",
            "dropped_source",
            "dropped_pkey",
            "dropped_qkey",
            "dropped_no_receive",
            "dropped_out_of_order",
            "dropped_no_room",
            "dropped_stale_response",
            "socket_overflows",
            "frames_sent",
            "frames_received",
            "dropped_no_flow",
            "send_blocked",
            "send_lost",
            "heap_shortages",
            "faults_dropped",
            "faults_duplicated",
            "faults_reordered",
            "faults_delayed",
            "faults_corrupted");
  }

  @Test
  void everyNameLeadsToItsCounterAndNoOtherToAny() {
    assertThat(Counter.values()).allMatch(counter -> Counter.of(counter.key()) == counter);
    assertThatThrownBy(() -> Counter.of("PACKETS_SENT"))
        .hasMessage("counter: there is no counter 'PACKETS_SENT' (EINVAL: Invalid argument)");
  }

  @Test
  void aSnapshotHoldsEveryCounter() {
    Counters counters = counter -> counter.key().length();
    assertThat(counters.snapshot())
        .containsOnlyKeys(Counter.values())
        .containsEntry(Counter.PACKETS_RECEIVED, 16L);
  }

  @Test
  void linksKeepTheirNames() {
    assertThat(Stream.of(LinkKind.values()).map(LinkKind::key))
        .containsExactly("auto", "packet", "udp", "shm");
  }
}
