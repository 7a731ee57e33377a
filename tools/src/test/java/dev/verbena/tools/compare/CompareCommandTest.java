package dev.verbena.tools.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.tools.TestAddresses;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class CompareCommandTest {
  private static final String JSON = "rows.json";
  private static final String SVG = "bars.svg";
  private static final Pattern BAR =
      Pattern.compile(
          "<text text-anchor=\"end\"[^>]*>(?<label>[^<]*)</text>\\s+"
              + "<rect class=\"(?<verdict>\\w+)\"[^>]*/>\\s+"
              + "<line class=\"goal\"[^>]*/>\\s+"
              + "<text text-anchor=\"start\"[^>]*>(?<number>[^<]*)</text>");

  @TempDir private Path folder;

  @Test
  void theRowsCanBeListedWithoutMeasuringThem() throws Exception {
    CommandRun run = CommandRun.of("compare", "--list", "udp");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("udp-send-lat", "udp-write-1MiB").doesNotContain("loopback-");
  }

  @Test
  void aRowThatIsNotThereIsWrongUsage() throws Exception {
    CommandRun run = CommandRun.of("compare", "infiniband");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("no metric's name contains [infiniband]; see --list");
  }

  @Test
  void onlyTheScriptInstallsWhatIsComparedWith() throws Exception {
    CommandRun run = CommandRun.of("compare", "--install");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("only the script can install: bin/verbena compare --install");
  }

  @Test
  void theFilesHaveTheRatiosAndTheBarsOfAllRows() throws Exception {
    Iterator<Double> ours = List.of(2.0, 9.0, 3.0).iterator();
    Metric rate =
        metric(
            "rate",
            List.of(
                Subject.ours(_ -> new Figure(ours.next(), 7, Double.NaN)),
                Subject.floor("wire", _ -> Figure.of(4)),
                Subject.peer("other", Subject.missing("other is not installed"))),
            Bound.atLeast(0.5, 1, "wire"),
            Bound.atLeast(1, 1, "other"));
    Metric memory =
        metric("memory", List.of(Subject.ours(_ -> Figure.of(8))), Bound.atMost(16, 16));

    assertThat(compare(List.of(), rate, memory)).as("garbage is missed").isEqualTo(1);
    assertThat(Files.readString(folder.resolve(JSON)))
        .startsWith(
            """
            {"rows":[\
            {"metric":"rate","title":"title of rate","unit":"M/s","ours":3.0,\
            "others":{"wire":4.0,"other":null},"ratios":{"wire":0.75,"other":null},\
            "reasons":{"other":"other is not installed"},"hand_off_ns":30.0,"left_out":0,\
            "verdict":"absent"},\
            {"metric":"memory","title":"title of memory","unit":"M/s","ours":8.0,\
            "others":{},"ratios":{},"reasons":{},"hand_off_ns":30.0,"left_out":0,\
            "verdict":"ok"},\
            {"metric":"garbage",\
            """)
        .endsWith("\"verdict\":\"missed\"}]}" + System.lineSeparator());
    assertThat(bars())
        .containsExactly("short rate : wire 1.50", "ok memory 2.00", "missed garbage 0.0714");
  }

  @Test
  void aRowThatIsNotWantedIsInNoFile() throws Exception {
    Metric one = metric("one", List.of(Subject.ours(_ -> Figure.of(2))), Bound.atLeast(1, 1));
    Metric two = metric("two", List.of(Subject.ours(_ -> Figure.of(0))), Bound.atLeast(1, 1));

    assertThat(compare(List.of("one"), one, two)).isZero();
    assertThat(Files.readString(folder.resolve(JSON)))
        .contains("\"one\"")
        .doesNotContain("\"two\"");
    assertThat(bars()).containsExactly("ok one 2.00");
  }

  /** Compares, with both files; returns the exit code. */
  private int compare(List<String> wanted, Metric... metrics) {
    List<String> arguments = new ArrayList<>(wanted);
    arguments.addAll(List.of("--json", folder.resolve(JSON).toString()));
    arguments.addAll(List.of("--svg", folder.resolve(SVG).toString()));
    PrintWriter out = new PrintWriter(new StringWriter());
    return new CommandLine(new CompareCommand(out, _ -> List.of(metrics), () -> 30))
        .execute(arguments.toArray(String[]::new));
  }

  /** The bars in the picture: verdict, label and number. */
  private List<String> bars() throws IOException {
    return BAR.matcher(Files.readString(folder.resolve(SVG)))
        .results()
        .map(bar -> bar.group("verdict") + " " + bar.group("label") + " " + bar.group("number"))
        .toList();
  }

  private static Metric metric(String name, List<Subject> subjects, Bound... bounds) {
    return new Metric(name, "title of " + name, "M/s", true, subjects, List.of(bounds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "copy --bytes=4096",
        "hand-off",
        "fetch-add",
        "cmp-swap",
        "loopback-latency",
        "loopback-write --bytes=65536",
        "loopback-read --bytes=65536",
        "loopback-list",
        "loopback-fetch-add",
        "loopback-cmp-swap",
        "many-write --pairs=10",
        "many-setup --pairs=10"
      })
  void aProbePrintsAFigure(String probe) throws Exception {
    CommandRun run = CommandRun.of(command(probe.split(" "), device("")));

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(figure(List.of(run))).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"udp-latency", "tcp-latency", "tcp-bandwidth", "udp-rate", "raw-udp"})
  void aProbeOfSocketsHasTwoEnds(String probe) throws Exception {
    List<CommandRun> ends = runBoth(probe);

    assertThat(figure(ends)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RDMA_WRITE,65536,1,1,32",
        "RDMA_READ,65536,1,1,8",
        "SEND,64,4,64,16",
        "RDMA_WRITE,64,40,1,16"
      })
  void bothEndsOfALinkTellWhatTheyLeftAndSentAgain(String traffic) throws Exception {
    List<CommandRun> ends = runBoth("link", device("?link=udp"), "--traffic=" + traffic);

    assertOfBoth(ends);
  }

  @Test
  void twoProcessesAnswerEachOtherInMemory() throws Exception {
    assertOfBoth(runBoth("link-latency", device("?link=udp")));
  }

  private static void assertOfBoth(List<CommandRun> ends) {
    assertThat(figure(ends)).isPositive();
    assertThat(ends)
        .allSatisfy(
            end ->
                assertThat(end.out().lines())
                    .anyMatch(line -> line.matches("garbage [0-9.E-]+"))
                    .anyMatch(line -> line.matches("resent [0-9.E]+")));
    assertThat(ends.get(1).out()).as("the server has no figure").doesNotContain("figure");
  }

  @Test
  void trafficThatIsNoneIsWrongUsage() throws Exception {
    CommandRun run = CommandRun.of("compare-probe", "link", "--server", "--traffic=SEND,0,1,1,1");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--traffic=SEND,0,1,1,1 is not OPCODE,BYTES,QPS,LIST,POSTS");
  }

  /** Both ends at their end: first the client. */
  private static List<CommandRun> runBoth(String... probe) throws Exception {
    CommandRun server = CommandRun.start(command(probe, "--server"));
    String port = server.awaitLine(line -> line.startsWith("port ")).substring(5);
    CommandRun client = CommandRun.of(command(probe, "--port=" + port));

    assertThat(client.err() + server.err()).isEmpty();
    assertThat(client.exitCode()).isZero();
    assertThat(server.exitCode()).isZero();
    return List.of(client, server);
  }

  static String[] command(String[] probe, String role) {
    return Stream.of(Stream.of("compare-probe"), Stream.of(probe), Stream.of(role))
        .flatMap(each -> each)
        .toArray(String[]::new);
  }

  static String device(String options) {
    return "--device=soft:" + TestAddresses.next() + options;
  }

  /** Of the end that has it. */
  static double figure(List<CommandRun> ends) {
    return ends.stream()
        .flatMap(end -> end.out().lines())
        .filter(line -> line.startsWith("figure "))
        .mapToDouble(line -> Double.parseDouble(line.substring(7)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anUnknownProbeIsWrongUsage() throws Exception {
    CommandRun run = CommandRun.of("compare-probe", "nothing");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("no such probe: nothing");
  }
}
