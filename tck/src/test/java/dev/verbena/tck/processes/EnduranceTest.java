package dev.verbena.tck.processes;

import static dev.verbena.verbs.WcStatus.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Large numbers: many opens and closes, many open objects, and more than the limits. */
final class EnduranceTest {
  private static final int QUEUE_PAIRS = 2_000;

  private static String run(List<String> command) throws Exception {
    Assumptions.assumeTrue(
        Files.isDirectory(Path.of("/proc/self/fd")), "descriptors are counted on Linux");
    try (ChildProcess child = ChildProcess.run(command)) {
      assertThat(child.exitCode()).as(child.output()).isZero();
      return child.output();
    }
  }

  private static String only(String output, String pattern) {
    Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(output);
    assertThat(matcher.find()).as(output).isTrue();
    return matcher.group(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = TckLink.class,
      names = {"LOOPBACK", "UDP"})
  void aThousandCyclesLeaveNoDescriptorAndNoThreadAndFitInASmallHeap(TckLink link)
      throws Exception {
    List<String> command = ChildProcess.javaMain(EnduranceVictim.class, "cycles", link.name());
    // A leak of 32 KiB a cycle does not fit.
    command.set(command.indexOf("-Xmx128m"), "-Xmx32m");
    String output = run(command);
    assertThat(only(output, "^after (.*)$")).isEqualTo(only(output, "^before (.*)$"));
  }

  @ParameterizedTest
  @EnumSource(
      value = TckLink.class,
      names = {"LOOPBACK", "UDP"})
  void withoutDescriptorsADeviceCannotBeOpenedAndNoneLeaks(TckLink link) throws Exception {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", "ulimit -n 60; exec \"$@\"", "limited"));
    command.addAll(ChildProcess.javaMain(EnduranceVictim.class, "exhaust", link.name()));
    String output = run(command);
    assertThat(only(output, "^round 4 (.*)$")).contains("Too many open files");
    assertThat(only(output, "^before .* after (.*)$")).isEqualTo(only(output, "^before (\\d+)"));
  }

  @OnEveryLink
  void twoThousandConnectedQueuePairsAllDeliver(TckLink link) {
    // Where packets are lost, or the computer is busy, all completions may come together.
    PairSetup setup =
        PairSetup.on(link).mrBytes(64).cap(new QpCap(2, 2, 1, 1, 0)).cqe(QUEUE_PAIRS).timeout(18);
    try (QpPair first = setup.open()) {
      QpEnd left = first.left();
      QpEnd right = first.right();
      List<QpPair> pairs = new ArrayList<>();
      for (int i = 0; i < QUEUE_PAIRS; i++) {
        QpPair next =
            new QpPair(
                setup.end(left.pd(), left.sendCq(), left.recvCq()),
                setup.end(right.pd(), right.sendCq(), right.recvCq()));
        setup.connect(next);
        pairs.add(next);
      }
      WorkCompletion wc = new WorkCompletion();
      int completed = 0;
      for (int i = 0; i < QUEUE_PAIRS; i++) {
        QpPair pair = pairs.get(i);
        pair.left().setLong(0, ~i);
        SendWr write = SendWrs.write(i, pair.right(), 8, pair.left().sge(0, 8));
        pair.left().qp().postSend(write);
        while (left.sendCq().poll(wc)) {
          left.assertSendStatus(wc, SUCCESS);
          completed++;
        }
      }
      left.awaitSends(QUEUE_PAIRS - completed)
          .forEach(last -> left.assertSendStatus(last, SUCCESS));
      for (int i = 0; i < QUEUE_PAIRS; i++) {
        assertThat(pairs.get(i).right().getLong(8)).as("queue pair %d", i).isEqualTo(~i);
      }
      pairs.forEach(pair -> pair.ends().forEach(end -> end.qp().close()));
    }
  }
}
