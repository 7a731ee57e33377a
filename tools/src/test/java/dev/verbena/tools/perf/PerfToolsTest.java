package dev.verbena.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.tools.TwoEnds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server and client in this process, on a device each. */
final class PerfToolsTest {
  private static final String LATENCY = "(?m)^ (\\d+) +(\\d+)( +\\d+\\.\\d\\d){7}$";
  private static final String TIMED_LATENCY = "(?m)^ (\\d+) +(\\d+)( +\\d+\\.\\d\\d){2}$";
  private static final String BANDWIDTH = "(?m)^ (\\d+) +(\\d+)( +\\d+\\.\\d{2,6}){3}$";

  @ParameterizedTest
  @CsvSource({
    "send-lat,  link=udp,  -n 50",
    "send-lat,  link=auto, -n 50 -e -s 4096",
    "send-lat,  link=udp,  -n 50 -c UC -I 64",
    "send-lat,  link=auto, -n 50 -c UD --use-srq",
    "send-lat,  link=auto, -n 50 --skip 20 -m 256 -s 1025",
    "write-lat, link=udp,  -n 50",
    "write-lat, link=auto, -n 300 -s 4096 -I 32",
    "write-lat, link=auto, -n 50 -c UC",
    "'write-lat', 'link=udp&faults=drop:0.02,seed:5', -n 50"
  })
  void bothEndsTellTheLatencyOfMessagesAndAnswers(String tool, String link, String options)
      throws Exception {
    TwoEnds ends = TwoEnds.run(tool, link, options, options);

    expectRows(ends.server(), LATENCY, 1);
    expectRows(ends.client(), LATENCY, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "read-lat,   link=udp,  -n 50",
    "read-lat,   link=auto, -n 50 -o 1 -s 65536",
    "atomic-lat, link=udp,  -n 50",
    "atomic-lat, link=auto, -n 50 -A CMP_AND_SWAP -e"
  })
  void onlyTheClientTellsTheLatencyOfWhatItFetches(String tool, String link, String options)
      throws Exception {
    TwoEnds ends = TwoEnds.run(tool, link, options, options);

    expectRows(ends.server(), LATENCY, 0);
    expectRows(ends.client(), LATENCY, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "send-bw,   link=udp,  -n 100",
    "send-bw,   link=auto, -n 100 -q 3 -l 8 -t 32 --use-srq",
    "send-bw,   link=auto, -n 100 -b -q 2 -r 4 -s 256",
    "send-bw,   link=udp,  -n 20 -c UD -s 512",
    "send-bw,   link=auto, -n 20 -c UC -e",
    "write-bw,  link=udp,  -n 100",
    "write-bw,  link=auto, -n 101 -l 7 -t 9 -Q 5 -s 64 -I 64",
    "write-bw,  link=auto, -n 100 -b -N --report_gbits --skip 50",
    "read-bw,   link=udp,  -n 100 -s 1000",
    "read-bw,   link=auto, -n 100 -b -e",
    "atomic-bw, link=udp,  -n 100",
    "atomic-bw, link=auto, -n 100 -q 2 -A CMP_AND_SWAP -b"
  })
  void bothEndsTellTheBandwidth(String tool, String link, String options) throws Exception {
    TwoEnds ends = TwoEnds.run(tool, link, options, options);

    expectRows(ends.server(), BANDWIDTH, 1);
    expectRows(ends.client(), BANDWIDTH, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "send-lat, -a -n 5, 23, 23",
    "send-lat, -a -n 5 -c UD -m 1024, 10, 10",
    "write-lat, -a -n 5, 23, 23",
    "read-lat, -a -n 5, 0, 23"
  })
  void allSizesAreMeasuredOneAfterTheOther(String tool, String options, int server, int client)
      throws Exception {
    TwoEnds ends = TwoEnds.run(tool, "link=auto", options, options);

    expectRows(ends.server(), LATENCY, server);
    expectRows(ends.client(), LATENCY, client);
  }

  @ParameterizedTest
  @CsvSource({
    "send-bw, -a -n 5, 23, 23",
    "write-bw, -a -n 5, 1, 23",
    "write-bw, -a -n 5 -b, 23, 23",
    "send-bw, -a -n 5 -b -m 256 -c UD, 8, 8"
  })
  void anIdleServerIsToldTheLastOfAllSizes(String tool, String options, int server, int client)
      throws Exception {
    TwoEnds ends = TwoEnds.run(tool, "link=auto", options, options);

    expectRows(ends.server(), BANDWIDTH, server);
    expectRows(ends.client(), BANDWIDTH, client);
  }

  @ParameterizedTest
  @CsvSource({"send-lat", "write-lat"})
  void aRunCanEndByTheClock(String tool) throws Exception {
    TwoEnds ends = TwoEnds.run(tool, "link=auto", "-D 1", "-D 1 -f 0");

    expectRows(ends.server(), TIMED_LATENCY, 1);
    expectRows(ends.client(), TIMED_LATENCY, 1);
  }

  @ParameterizedTest
  @CsvSource({"send-bw, -b", "send-bw, -s 64", "read-bw, -q 2"})
  void aRunForBandwidthCanEndByTheClock(String tool, String options) throws Exception {
    TwoEnds ends = TwoEnds.run(tool, "link=auto", "-D 1 " + options, "-D 1 " + options);

    expectRows(ends.server(), BANDWIDTH, 1);
    expectRows(ends.client(), BANDWIDTH, 1);
  }

  @Test
  void jsonIsAllThatIsPrinted() throws Exception {
    TwoEnds ends = TwoEnds.run("read-lat", "link=auto", "-n 20", "-n 20 --json");

    assertThat(ends.client().out().lines()).hasSize(1);
    assertThat(ends.client().out())
        .startsWith("{\"test\":\"read-lat\",\"role\":\"client\",\"device\":\"soft_127_")
        .contains("\"results\":[{\"bytes\":2,\"iterations\":20,\"min_us\":")
        .contains("\"p99.9_us\":")
        .contains("\"retransmitted\":0")
        .endsWith("}]}");
  }

  @Test
  void jsonOfATimedRunTellsWhatAMessageAllocates() throws Exception {
    TwoEnds ends = TwoEnds.run("write-lat", "link=auto", "-D 1", "-D 1 -f 0 --json");

    assertThat(ends.client().out()).containsPattern("\"allocated_bytes_per_message\":[0-9]");
  }

  @Test
  void theHistogramHasAllPercentiles() throws Exception {
    TwoEnds ends = TwoEnds.run("atomic-lat", "link=auto", "-n 20", "-n 20 -H");

    assertThat(ends.client().out())
        .contains("Value     Percentile TotalCount 1/(1-Percentile)", "#[Max     =");
  }

  @Test
  void jsonHasTheHistogramToo() throws Exception {
    TwoEnds ends = TwoEnds.run("atomic-lat", "link=auto", "-n 20", "-n 20 -H --json");

    assertThat(ends.client().out().lines()).hasSize(1);
    assertThat(ends.client().out())
        .containsPattern("\"histogram\":\\[\\{\"percentile\":0\\.0,\"us\":[0-9.]+,\"count\":[1-9]")
        .containsPattern("\\{\"percentile\":100\\.0,\"us\":[0-9.]+,\"count\":19\\}\\]");
  }

  @Test
  void theSmallerPathMtuIsUsed() throws Exception {
    TwoEnds ends = TwoEnds.run("write-bw", "link=auto", "-n 5 -m 512", "-n 5");

    assertThat(ends.server().out()).contains("\n Mtu             : 512\n");
    assertThat(ends.client().out()).contains("\n Mtu             : 512\n");
  }

  @Test
  void aMessageTooLargeForADatagramIsNamed() throws Exception {
    TwoEnds ends =
        TwoEnds.run("send-bw", "link=auto", "-c UD -m 512 -s 513", "-c UD -m 512 -s 513");

    assertThat(ends.client().exitCode()).isEqualTo(1);
    assertThat(ends.client().err()).contains("--size=513 is larger than the path MTU of 512 bytes");
  }

  @Test
  void anEndWhosePeerStopsEarlyDoesNotHang() throws Exception {
    TwoEnds ends = TwoEnds.run("write-lat", "link=auto", "-n 20 --timeout=5", "-n 10 --timeout=5");

    assertThat(ends.server().exitCode()).isEqualTo(1);
    assertThat(ends.server().err()).contains("message 11 did not arrive within 5 s");
  }

  private static void expectRows(CommandRun end, String row, int count) throws Exception {
    assertThat(end.err()).isEmpty();
    assertThat(end.exitCode()).isZero();
    List<String> rows = end.out().lines().filter(line -> line.matches(row)).toList();
    assertThat(rows).as(end.out()).hasSize(count);
  }
}
