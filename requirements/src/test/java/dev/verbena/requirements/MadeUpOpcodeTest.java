package dev.verbena.requirements;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/internals/opcodes.md says of a made-up opcode. Where its patch no longer applies, apply
 * it by hand, and take {@code git diff -U1} as the new one.
 */
class MadeUpOpcodeTest {
  private static final int MOST_FILES = 8;

  /** The modules with the tables of opcodes, and with devices that they describe. */
  private static final List<String> MODULES =
      List.of("verbs", "wire", "soft", "rdmacore", "dropin");

  @TempDir private Path tree;

  @Test
  void aMadeUpOpcodeChangesAtMostEightFilesAndWorksByLoopbackPacketsAndUdp() throws Exception {
    for (Path file : Repository.sources("src/main", MODULES)) {
      Path copy = tree.resolve(Repository.root().relativize(file));
      Files.createDirectories(Objects.requireNonNull(copy.getParent()));
      Files.copy(file, copy);
    }
    String patch = resource("made-up-opcode.patch");
    assertThat(run("git", "apply", "--numstat", patch).lines())
        .hasSizeLessThanOrEqualTo(MOST_FILES)
        .allMatch(line -> line.contains("/src/main/java/"));
    assertThat(run("git", "apply", patch)).isEmpty();

    Path classes = tree.resolve("classes");
    List<String> compiler =
        new ArrayList<>(
            List.of(
                tool("javac"),
                "-J-XX:TieredStopAtLevel=1",
                "-nowarn",
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp"));
    compiler.add(System.getProperty("java.class.path"));
    try (Stream<Path> files = Files.walk(tree)) {
      files
          .map(Path::toString)
          .filter(file -> file.endsWith(".java") && !file.endsWith("module-info.java"))
          .forEach(compiler::add);
    }
    compiler.add(resource("SwappedWrite.java"));
    assertThat(run(compiler.toArray(String[]::new))).doesNotContain("error:");

    Path services = Repository.root().resolve("soft/src/main/resources");
    List<String> devices =
        Stream.of("auto", "packet", "udp").map(link -> "soft:127.91.7.3?link=" + link).toList();
    List<String> post =
        new ArrayList<>(
            List.of(
                tool("java"),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes + File.pathSeparator + services,
                "SwappedWrite"));
    post.addAll(devices);
    assertThat(run(post.toArray(String[]::new)).lines())
        .containsExactlyElementsOf(
            devices.stream().map(device -> device + ": SUCCESS, 0 bytes are wrong").toList());
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  private static String resource(String name) {
    return Repository.root()
        .resolve("requirements/src/test/resources/dev/verbena/requirements")
        .resolve(name)
        .toString();
  }

  /** Runs a command, which must succeed, in the copy, and returns what it says. */
  private String run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(tree.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", List.of(command).getFirst(), said).isZero();
    return said;
  }
}
