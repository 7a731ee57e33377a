package dev.verbena.rdmacore.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On files like those of the kernel. */
final class DriverCountersTest {
  @TempDir Path folder;

  @Test
  void addsWhatTheDriverCountsAtAllPorts() throws IOException {
    write(1, "sent_pkts", "12");
    write(2, "sent_pkts", "30");
    write(1, "rp_cnp_handled", "1");
    write(1, "rp_cnp_ignored", "18446744073709551615");
    Counters counters = counters();
    assertThat(counters.get(Counter.PACKETS_SENT)).isEqualTo(42);
    assertThat(counters.snapshot())
        .isEqualTo(
            Map.of(Counter.PACKETS_SENT, 42L, Counter.CONGESTION_NOTIFICATIONS_RECEIVED, 0L));
  }

  @Test
  void countsBytesAndPacketsOfThePortsWhereTheDriverHasNone() throws IOException {
    write("1/counters", "port_xmit_data", "100");
    write("2/counters", "port_xmit_data", "11");
    write("1/counters", "port_rcv_data", "4294967296");
    write("1/counters", "port_xmit_packets", "7");
    write("1/counters", "port_rcv_packets", "9");
    write(1, "rcvd_pkts", "5");
    assertThat(counters().snapshot())
        .isEqualTo(
            Map.of(
                Counter.BYTES_SENT, 444L,
                Counter.BYTES_RECEIVED, 1L << 34,
                Counter.PACKETS_SENT, 7L,
                Counter.PACKETS_RECEIVED, 5L));
  }

  @Test
  void tellsAllFilesByTheirNamesAsTheyAre() throws IOException {
    assertThat(counters().byFile()).isEmpty();
    write("1/counters", "port_xmit_data", "100");
    write("2/counters", "port_xmit_data", "11");
    write("1/counters", "VL15_dropped", "0");
    write("1/counters", "symbol_error", "N/A (no PMA)");
    write(1, "lifespan", "10");
    write(2, "rx_dct_connect", "3");
    Files.createDirectories(folder.resolve("ports/1/counters/link_downed"));
    assertThat(counters().byFile())
        .isEqualTo(
            Map.of(
                "counters/VL15_dropped", 0L,
                "counters/port_xmit_data", 111L,
                "hw_counters/rx_dct_connect", 3L));
  }

  @Test
  void refusesWhatTheDriverDoesNotCount() throws IOException {
    Counters none = counters();
    assertThat(none.snapshot()).isEmpty();
    assertRefused(
        none,
        Counter.PACKETS_SENT,
        "packets_sent: no port has hw_counters/sent_pkts or counters/port_xmit_packets");
    write(1, "sent_pkts", "12");
    assertThat(none.has(Counter.PACKETS_SENT)).isTrue();
    assertRefused(none, Counter.RETRANSMITTED, "rxe0 does not count retransmitted");
  }

  @Test
  void saysWhichFileIsNoCount() throws IOException {
    write(1, "sent_pkts", "many");
    assertThatThrownBy(() -> counters().get(Counter.PACKETS_SENT))
        .hasMessageContaining("sent_pkts has 'many', which is no count");
  }

  private static void assertRefused(Counters counters, Counter counter, String words) {
    assertThat(counters.has(counter)).isFalse();
    assertThatThrownBy(() -> counters.get(counter))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP))
        .hasMessageContaining(words);
  }

  private void write(int port, String name, String text) throws IOException {
    write(port + "/hw_counters", name, text);
  }

  private void write(String place, String name, String text) throws IOException {
    Path files = folder.resolve("ports").resolve(place);
    Files.createDirectories(files);
    Files.writeString(files.resolve(name), text + "\n");
  }

  private Counters counters() {
    return new DriverCounters("rxe0", folder);
  }
}
