package dev.verbena.tools.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The ahead-of-time cache of {@code verbena run}; a shell script stands for the training run. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "libibverbs is Linux's")
final class TrainingTest {
  private static final String WRITES_A_CACHE =
      "echo noise; echo a cache >\"${VERBENA_JVM_OPTIONS#-XX:AOTCacheOutput=}\"; echo x >>runs";

  @TempDir Path folder;
  private SourceTree tree;
  private Launch launch;

  @BeforeEach
  void aTreeThatIsBuilt() throws IOException {
    tree = SourceTree.in(folder);
    launch = new Launch(tree);
  }

  @Test
  void theFirstRunMakesTheCacheAndTheOthersUseIt() throws Exception {
    tree.training(WRITES_A_CACHE);

    Launch.Run first = printCache();
    Launch.Run second = printCache();

    assertThat(first.err()).isEqualTo("verbena run: preparing a faster start, once\n");
    assertThat(second.err()).isEmpty();
    assertThat(first.out()).isEqualTo(tree.cache() + "\n").isEqualTo(second.out());
    assertThat(tree.cache()).hasContent("a cache");
    assertThat(folder.resolve("runs")).hasContent("x");
  }

  @Test
  void otherJarsNeedAnotherCache() throws Exception {
    tree.training(WRITES_A_CACHE);
    printCache();
    Files.setLastModifiedTime(tree.jar(), FileTime.from(Instant.now().plusSeconds(600)));

    printCache();

    assertThat(folder.resolve("runs")).hasContent("x\nx");
  }

  @Test
  void ifTheTrainingFailsProgramsRunWithoutACacheAndItIsNotTriedAgain() throws Exception {
    tree.training("echo something is wrong >&2; exit 1");

    Launch.Run first = launch.verbena("run", "sh", "-c", "echo ${VERBENA_AOT_CACHE-none}");
    Launch.Run second = launch.verbena("run", "sh", "-c", "echo ${VERBENA_AOT_CACHE-none}");

    assertThat(first.out()).isEqualTo("none\n").isEqualTo(second.out());
    assertThat(first.err()).contains("that failed, see " + tree.cache() + ".log");
    assertThat(Path.of(tree.cache() + ".log")).hasContent("something is wrong");
    assertThat(second.err()).isEmpty();
  }

  @Test
  void aCacheOfOtherJarsIsNotUsedIfTheNextTrainingFails() throws Exception {
    tree.training(WRITES_A_CACHE);
    printCache();
    tree.training("exit 1");

    Launch.Run run = launch.verbena("run", "sh", "-c", "echo ${VERBENA_AOT_CACHE-none}");

    assertThat(run.out()).isEqualTo("none\n");
  }

  @Test
  void theTrainingRunIsAProgramLikeAnyOther() throws Exception {
    tree.training("env >seen; " + WRITES_A_CACHE);
    printCache();

    assertThat(Files.readAllLines(folder.resolve("seen")))
        .contains("LD_LIBRARY_PATH=" + tree.nativeFolder(), "VERBENA_DEVICE=soft0?link=udp");
  }

  private Launch.Run printCache() throws Exception {
    return launch.verbena("run", "printenv", "VERBENA_AOT_CACHE");
  }
}
