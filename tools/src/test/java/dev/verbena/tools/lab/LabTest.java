package dev.verbena.tools.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The experiments of docs/lab.md; one at a time, because all use the same two addresses. */
@Execution(ExecutionMode.SAME_THREAD)
final class LabTest {
  private static final Path PAGE = Path.of("..", "docs", "lab.md");
  private static final Pattern EXPERIMENT =
      Pattern.compile("(?m)^ {4}bin/verbena lab (.*)\n\n```text\n((?s:.*?))```$");
  private static final Pattern COMMAND = Pattern.compile("(?m)^ {4}bin/verbena (lab .*)$");
  private static final Pattern PSN = Pattern.compile("psn (\\d+)");
  private static final Pattern ACK = Pattern.compile("ACK psn \\d+, msn \\d+");
  private static final int PSNS = 1 << 24;

  /** A command of the page, and what it says of it. */
  record Experiment(String command, List<String> shown) {
    @Override
    public String toString() {
      return command;
    }
  }

  private static Stream<Experiment> experiments() throws IOException {
    return EXPERIMENT
        .matcher(Files.readString(PAGE))
        .results()
        .map(found -> new Experiment(found.group(1), found.group(2).lines().toList()));
  }

  @Test
  void thePageHasSevenWithPictures() throws IOException {
    assertThat(experiments()).hasSize(7);
  }

  /** Each end does what the page shows, in that order; how the two interleave is chance. */
  @ParameterizedTest
  @MethodSource("experiments")
  void anExperimentShowsWhatThePageShows(Experiment experiment) throws Exception {
    CommandRun run =
        CommandRun.of(
            Stream.concat(Stream.of("lab"), Stream.of(experiment.command.split(" ", -1)))
                .toArray(String[]::new));

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    List<String> lines = run.out().lines().toList();
    for (String direction : List.of("|- ", " -|")) {
      assertThat(sent(lines, direction)).as(run.out()).isEqualTo(sent(experiment.shown, direction));
    }
    assertThat(outcome(lines)).as(run.out()).isEqualTo(outcome(experiment.shown));
    for (List<String> ladder : List.of(lines, experiment.shown)) {
      assertThat(ladder.getLast())
          .as(String.join("\n", ladder))
          .contains(", " + sentAgain(ladder) + " sent again by the requester, ");
    }
  }

  /** How many of the requester's packets have the remark. */
  private static long sentAgain(List<String> ladder) {
    return ladder.stream()
        .filter(line -> line.contains("|- ") && line.contains("|  sent again"))
        .count();
  }

  /** It has no picture, as most of what follows the first loss is chance. */
  @Test
  void theLastExperimentLosesPackets() throws Exception {
    List<String> commands =
        COMMAND.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)).toList();
    assertThat(commands).hasSize(8);

    CommandRun run = CommandRun.of(commands.getLast().split(" ", -1));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("write of 40000 bytes: ", "fault: dropped", "|  sent again");
  }

  /**
   * The packets of one end, with PSNs that begin at 0, and without what depends on time: an answer
   * that takes a moment may have the device send, and the peer answer, once more, and an ACK says
   * what earlier ones would have said.
   */
  private static List<String> sent(List<String> ladder, String direction) {
    int first =
        psn(ladder.stream().filter(line -> line.contains("psn ")).findFirst().orElseThrow());
    List<String> packets =
        new ArrayList<>(
            ladder.stream()
                .filter(line -> line.contains(direction))
                .map(line -> line.replaceAll("^ *\\d+ +[\\d.]+ +", ""))
                .map(
                    line ->
                        line.replace(
                            "psn " + psn(line), "psn " + (psn(line) - first + PSNS) % PSNS))
                .map(LabTest::withoutArrow)
                .distinct()
                .toList());
    for (int i = packets.size() - 2; i >= 0; i--) {
      if (ACK.matcher(packets.get(i)).matches()) {
        packets.remove(i);
      }
    }
    return packets;
  }

  /** Of a packet's text and its remark, which stand on both sides of the second bar. */
  private static String withoutArrow(String line) {
    int bar = line.lastIndexOf('|');
    String text = line.substring(0, bar).replaceAll("^[-<>|X ]+|[-<>|X ]+$", "");
    String remark = line.substring(bar + 1).strip();
    return ACK.matcher(text).matches() && remark.equals("sent again")
        ? text
        : (text + " " + remark).strip();
  }

  private static int psn(String line) {
    Matcher psn = PSN.matcher(line);
    assertThat(psn.find()).as(line).isTrue();
    return Integer.parseInt(psn.group(1));
  }

  /** What is below the ladder, without times, and without what follows from them. */
  private static List<String> outcome(List<String> lines) {
    return lines.stream()
        .dropWhile(line -> !line.isEmpty())
        .map(line -> line.replaceAll(" after .*", "").replaceAll(", \\d+ sent again.*", ""))
        .toList();
  }

  @Test
  void theLadderIsDrawnAndThePacketsAreKept(@TempDir Path folder) throws Exception {
    Path image = folder.resolve("lab.svg");
    Path capture = folder.resolve("lab.pcapng");
    CommandRun run =
        CommandRun.of("lab", "read", "--drop-answer=2", "--svg=" + image, "--capture=" + capture);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(image).content().contains("fault: dropped", "class=\"cross\"");
    assertThat(CommandRun.of("trace", capture.toString()).out())
        .contains("fault: dropped", "dropped by a fault, so they never left: 1");
  }

  @Test
  void anOperationThatFailsIsToldAsOne() throws Exception {
    CommandRun run = CommandRun.of("lab", "write", "--faults=drop:1");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("write of 20000 bytes: RETRY_EXC_ERR after ");
  }

  @Test
  void packetsThatAreNeverSentCannotBeLost() throws Exception {
    CommandRun run = CommandRun.of("lab", "write", "--drop=3,40", "--drop-answer=50");
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    List<String> told = lines.subList(lines.size() - 2, lines.size());
    assertThat(run.out()).contains("packets: 1 dropped, ").doesNotContain("packet 3 was");
    assertThat(told.getFirst())
        .isEqualTo(
            "packet 40 was never sent: the requester sent %d in all"
                .formatted(lines.stream().filter(line -> line.contains("|- ")).count()));
    assertThat(told.getLast()).matches("packet 50 was never sent: the responder sent \\d+ in all");
  }

  @Test
  void theNumbersAmongOtherFaultsMayBeWrong() throws Exception {
    assertThat(CommandRun.of("lab", "uc-write", "--faults=dropnth:6").out())
        .contains(
            "packets: 0 dropped, ",
            "packet 6 was never sent: the requester sent 5 in all",
            "packet 6 was never sent: the responder sent 0 in all");
  }

  @Test
  void aRefusalNamesTheOptionThatIsWrong() throws Exception {
    assertThat(CommandRun.of("lab", "add", "--drop-answer=0").err()).contains("--drop-answer=0 is");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lift",
        "write --drop=0",
        "write --size=0",
        "write --faults=loss:1",
        "write --drop=x"
      })
  void whatMakesNoSenseIsWrongUsage(String arguments) throws Exception {
    CommandRun run =
        CommandRun.of(
            Stream.concat(Stream.of("lab"), Stream.of(arguments.split(" ", -1)))
                .toArray(String[]::new));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("verbena lab: ");
  }
}
