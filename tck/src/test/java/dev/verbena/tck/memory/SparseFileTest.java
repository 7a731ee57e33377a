package dev.verbena.tck.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.kit.SmallFileSystem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registered memory of a mapped file with a gap that its full file system cannot fill. */
final class SparseFileTest {
  @TempDir private Path folder;

  /** As long as a method is interpreted, no atomic of Java survives a bus error. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-Xmixed"})
  @Proves({"S5.2.2", "S5.4.1"})
  void aPeersRequestIntoAGapThatCannotBeFilledIsAnAccessError(String mode) throws Exception {
    SmallFileSystem.require(folder);
    String mounted = SmallFileSystem.mounted(folder).toString();
    List<String> command = ChildProcess.javaMain(SparseFileVictim.class, mounted);
    command.add(1, mode);
    command.add(1, "-XX:-CreateCoredumpOnCrash");
    command.add(1, "-Ddev.verbena.guards=checked");
    try (ChildProcess child = ChildProcess.run(SmallFileSystem.within(folder, command))) {
      assertThat(child.exitCode()).as(child.output()).isZero();
      assertThat(child.output()).contains("survived");
    }
  }
}
