package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Gid FIRST = Gid.parse("127.0.0.1");

  @Test
  void theLineTellsWhatWasSentDroppedAndResent() {
    Map<Counter, Long> counts =
        Map.of(
            Counter.PACKETS_SENT, 20_123L,
            Counter.FAULTS_DROPPED, 1_011L,
            Counter.RETRANSMITTED, 1_093L);
    assertThat(line(FIRST, counts))
        .isEqualTo("soft0 at 127.0.0.1: 20123 packets sent, 1011 dropped by faults, 1093 resent");
  }

  @Test
  void messagesThatBecameNoPacketsAreToldOf() {
    assertThat(line(FIRST, Map.of(Counter.LOOPBACK_MESSAGES, 7L)))
        .endsWith(": 0 packets sent, 0 dropped by faults, 0 resent; 7 messages within the process");
  }

  @Test
  void oneIsOne() {
    assertThat(line(FIRST, Map.of(Counter.PACKETS_SENT, 1L))).contains(": 1 packet sent,");
  }

  @Test
  void asJsonItHasAllCounters() {
    String json = report(FIRST, Map.of(Counter.PACKETS_SENT, 7L)).json();
    assertThat(json)
        .startsWith("{\"device\":\"soft0\",\"address\":\"127.0.0.1\",\"")
        .contains(",\"packets_sent\":7,")
        .endsWith("}");
    assertThat(json.split(":", -1)).hasSize(Counter.values().length + 3);
  }

  @Test
  void anIpv6AddressIsToldAsUsual() {
    assertThat(line(Gid.parse("fd00::1"), Map.of())).contains(" at fd00::1: 0 packets");
  }

  @Test
  void anOpenDeviceIsReportedByItsNameAndAddress() {
    try (Context context = Devices.open("soft:10.9.7.1?link=packet")) {
      assertThat(Report.of(context).line())
          .isEqualTo("soft_10_9_7_1 at 10.9.7.1: 0 packets sent, 0 dropped by faults, 0 resent");
    }
  }

  private static String line(Gid address, Map<Counter, Long> counts) {
    return report(address, counts).line();
  }

  private static Report report(Gid address, Map<Counter, Long> counts) {
    return new Report("soft0", address, counter -> counts.getOrDefault(counter, 0L));
  }
}
