package dev.verbena.tck.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The system places a program's regions elsewhere each time that it starts. How much one start
 * tells of another depends on the system; the test prints it for docs/security.md, for as many
 * starts as -Dverbena.tck.starts says.
 */
@EnabledOnOs(OS.LINUX)
final class PlacementTest {
  private static final String ASKED = "verbena.tck.starts";
  private static final int STARTS = Integer.getInteger(ASKED, 3);

  /** ADDR_NO_RANDOMIZE of personality(2). */
  private static final int NOT_RANDOM = 0x40000;

  /** In a build one kind has to do: each start is a process. */
  private static List<Placement.Kind> kinds() {
    List<Placement.Kind> all = List.of(Placement.Kind.values());
    return System.getProperty(ASKED) == null ? all.subList(0, 1) : all;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aProgramsFirstRegionIsNotAtTheSameAddressInEachStart(Placement.Kind kind) throws Exception {
    assumeTrue(
        isRandom(), "this system does not say that it places each start of a program elsewhere");
    List<Placement> starts = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      try (ChildProcess child =
          ChildProcess.startMain(Placement.class, kind.name(), Addresses.next())) {
        assertThat(child.exitCode()).as(child.output()).isZero();
        starts.add(Placement.parse(child.output()));
      }
    }
    System.out.printf("%s in %d starts:%n%s", kind, STARTS, Placement.describe(kind, starts));
    assertThat(starts.stream().map(Placement::address).distinct())
        .as("addresses of the first region in %d starts", STARTS)
        .hasSizeGreaterThan(1);
  }

  private static boolean isRandom() throws IOException {
    Path randomize = Path.of("/proc/sys/kernel/randomize_va_space");
    Path own = Path.of("/proc/self/personality");
    if (!Files.isReadable(randomize) || !Files.isReadable(own)) {
      return false;
    }
    String setting = Files.readString(randomize);
    String personality = Files.readString(own);
    return !setting.strip().equals("0")
        && (Integer.parseUnsignedInt(personality.strip(), 16) & NOT_RANDOM) == 0;
  }
}
