package dev.verbena.tck.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.ChildProcess;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** One device has 100,000 regions and 10,000 connected queue pairs, in a heap of this size. */
final class ManyRegionsTest {
  private static final String HEAP = "-Xmx512m";
  private static final Pattern BYTES = Pattern.compile("^bytes (\\d+)$", Pattern.MULTILINE);

  /** What the device and the program's object for a region take together. */
  private static final int MOST_BYTES = 1000;

  @Test
  void aDeviceHasAHundredThousandRegionsEachOfWhichCanBeUsed() throws Exception {
    List<String> command = ChildProcess.javaMain(ManyRegions.class);
    command.set(command.indexOf("-Xmx128m"), HEAP);
    try (ChildProcess child = ChildProcess.run(command)) {
      assertThat(child.exitCode()).as(child.output()).isZero();
      assertThat(child.output())
          .contains("writes " + ManyRegions.REGIONS / 2)
          .contains("the device's limit of 131072 MRs is reached");
      Matcher bytes = BYTES.matcher(child.output());
      assertThat(bytes.find()).as(child.output()).isTrue();
      assertThat(Integer.parseInt(bytes.group(1))).isBetween(1, MOST_BYTES);
    }
  }
}
