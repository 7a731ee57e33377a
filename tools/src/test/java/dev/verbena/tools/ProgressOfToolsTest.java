package dev.verbena.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.kit.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What server and client, both in this process, tell of their progress. */
final class ProgressOfToolsTest {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final Queue<Duration> intervals = new ConcurrentLinkedQueue<>();

  /** Two intervals pass for each run: one before its first message, one after its last. */
  private final Ticker ticker =
      (interval, tick) -> {
        intervals.add(interval);
        tick.run();
        return tick::run;
      };

  @ParameterizedTest
  @CsvSource({
    "rc-pingpong, -n 20, exchange of 4096 bytes, 20",
    "uc-pingpong, -n 20 -s 100, exchange of 100 bytes, 20",
    "ud-pingpong, -n 20, exchange of 1024 bytes, 20",
    "srq-pingpong, -n 20 -q 4, exchange of 4096 bytes, 20",
    "xsrq-pingpong, -n 20, exchange of 4096 bytes, 20",
    "send-lat, -n 20, send-lat of 2 bytes, 20",
    "write-lat, -n 20, write-lat of 2 bytes, 20",
    "send-bw, -n 20 -q 2, send-bw of 65536 bytes, 40",
    "write-bw, -n 20 -b -s 64, write-bw of 64 bytes, 20"
  })
  void bothEndsTellHowManyMessagesAreDone(String tool, String options, String what, int all)
      throws Exception {
    for (CommandRun end : run(tool, options)) {
      assertThat(end.err().lines())
          .containsExactly(
              what + ": 5 s, 0 messages of " + all + " (0 %)",
              "%s: 10 s, %d messages of %2$d (100 %%)".formatted(what, all));
    }
    assertThat(intervals).containsExactly(INTERVAL, INTERVAL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read-lat", "atomic-lat", "write-bw", "read-bw", "atomic-bw"})
  void anEndThatOnlyWaitsTellsNothing(String tool) throws Exception {
    List<CommandRun> ends = run(tool, "-n 20");

    assertThat(ends.getFirst().err()).isEmpty();
    assertThat(ends.getLast().err().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith(tool + " of "))
        .last()
        .asString()
        .endsWith(" bytes: 10 s, 20 messages of 20 (100 %)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"send-lat", "send-bw"})
  void aRunThatEndsByTheClockHasNoShare(String tool) throws Exception {
    for (CommandRun end : run(tool, "-D 1 -s 8")) {
      assertThat(end.err())
          .matches(
              "%1$s of 8 bytes: 5 s, 0 messages\\R%1$s of 8 bytes: 10 s, [1-9]\\d* messages\\R"
                  .formatted(tool));
    }
  }

  /** First the server. */
  private List<CommandRun> run(String tool, String options) throws Exception {
    CommandRun server =
        CommandRun.start(ticker, TwoEnds.arguments(tool, "link=auto", "0", options));
    String port = TwoEnds.port(server);
    CommandRun client =
        CommandRun.start(
            ticker, TwoEnds.arguments(tool, "link=auto", port, options + " 127.0.0.1"));
    assertThat(client.exitCode()).as(client.err()).isZero();
    assertThat(server.exitCode()).as(server.err()).isZero();
    return List.of(server, client);
  }
}
