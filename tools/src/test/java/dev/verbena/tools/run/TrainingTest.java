package dev.verbena.tools.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The ahead-of-time cache of {@code verbena run}; a shell script stands for the training run. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "libibverbs is Linux's")
final class TrainingTest {
  /** Takes its options apart as the library does. */
  private static final String WRITES_A_CACHE =
      "echo noise; set -- $VERBENA_JVM_OPTIONS; echo a cache >\"${1#-XX:AOTCacheOutput=}\";"
          + " echo x >>runs";

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
    assertThat(tree.cache().resolveSibling("runs")).hasContent("x");
  }

  @Test
  void aFolderWithASpaceHasACacheAsWell() throws Exception {
    tree = SourceTree.in(Files.createDirectory(folder.resolve("a tree")));
    launch = new Launch(tree);
    tree.training(WRITES_A_CACHE);

    assertThat(printCache().out()).isEqualTo(tree.cache() + "\n");
    assertThat(tree.cache()).hasContent("a cache");
  }

  @Test
  void otherJarsNeedAnotherCache() throws Exception {
    tree.training(WRITES_A_CACHE);
    printCache();
    Files.setLastModifiedTime(tree.jar(), FileTime.from(Instant.now().plusSeconds(600)));

    printCache();

    assertThat(tree.cache().resolveSibling("runs")).hasContent("x\nx");
  }

  @Test
  void theSameJdkByAnotherNameNeedsNone() throws Exception {
    tree.training(WRITES_A_CACHE);
    Path link = Files.createSymbolicLink(folder.resolve("jdk"), Path.of(Launch.JDK));
    printCache();

    for (String name : List.of(Launch.JDK + "/", link.toString())) {
      Map<String, String> jdk = Map.of("JAVA_HOME", name);
      assertThat(launch.verbena(jdk, "run", "true").err()).isEmpty();
    }
    Files.delete(link);

    assertThat(tree.cache().resolveSibling("runs")).hasContent("x");
  }

  @Test
  void whoMayNotWriteToTheTreeRunsProgramsWithoutTraining() throws Exception {
    assumeTrue(Files.getOwner(folder).getName().equals("root"), "only root can be somebody else");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    tree.training(WRITES_A_CACHE);

    Launch.Run untrained =
        launch.verbenaOfAStranger("run", "sh", "-c", "echo ${VERBENA_AOT_CACHE-none}");
    printCache();
    Files.setLastModifiedTime(tree.jar(), FileTime.from(Instant.now().plusSeconds(600)));
    Launch.Run trained = launch.verbenaOfAStranger("run", "printenv", "VERBENA_AOT_CACHE");
    // Only the content counts: a file that was moved here may be older than what was built.
    Path source = tree.root().resolve("verbs/src/main/Added.java");
    Files.createFile(source);
    Files.setLastModifiedTime(source, FileTime.from(Instant.EPOCH));
    Launch.Run stale = launch.verbenaOfAStranger("run", "true");

    assertThat(untrained).isEqualTo(new Launch.Run(0, "none\n", ""));
    assertThat(trained).isEqualTo(new Launch.Run(0, tree.cache() + "\n", ""));
    assertThat(stale.exitCode()).isEqualTo(1);
    assertThat(stale.err())
        .isEqualTo("verbena: is to be built first, and you may not write to " + tree.root() + "\n");
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

    assertThat(Files.readAllLines(tree.cache().resolveSibling("seen")))
        .contains("LD_LIBRARY_PATH=" + tree.nativeFolder(), "VERBENA_DEVICE=soft0?link=udp");
  }

  private Launch.Run printCache() throws Exception {
    return launch.verbena("run", "printenv", "VERBENA_AOT_CACHE");
  }
}
