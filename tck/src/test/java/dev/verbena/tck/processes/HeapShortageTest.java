package dev.verbena.tck.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.kit.links.TckLink;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A heap that the application has filled ends no device. */
final class HeapShortageTest {
  @ParameterizedTest
  @EnumSource(
      value = TckLink.class,
      names = {"PACKET", "UDP"})
  void theEnginesSurviveAHeapThatIsFullForAWhile(TckLink link) throws Exception {
    List<String> command = ChildProcess.javaMain(HeapShortageVictim.class, link.name());
    command.set(command.indexOf("-Xmx128m"), "-Xmx24m");
    try (ChildProcess child = ChildProcess.run(command)) {
      assertThat(child.exitCode()).as(child.output()).isZero();
      assertThat(child.output())
          .contains("full " + HeapShortageVictim.TIMES + " times", "engines 2")
          .doesNotContain("of the engine");
    }
  }
}
