package dev.verbena.tools.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** When {@code bin/example} builds; shell scripts stand for Maven and Java, and say so. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the scripts are tested where verbena run is")
final class ExampleTest {
  @TempDir Path folder;
  private SourceTree tree;
  private Path source;
  private Map<String, String> environment;

  @BeforeEach
  void aTreeThatIsBuilt() throws IOException {
    tree = SourceTree.in(Files.createDirectory(folder.resolve("tree")));
    source = tree.example("Hello");
    Path jdk = Files.createDirectories(folder.resolve("jdk", "bin"));
    for (String program : new String[] {"java", "javac", "mvn"}) {
      SourceTree.script(jdk.resolve(program), "echo " + program + " \"$@\"");
    }
    Files.writeString(folder.resolve("jdk", "release"), "JAVA_VERSION=\"25.0.1\"\n");
    environment =
        Map.of(
            "JAVA_HOME",
            folder.resolve("jdk").toString(),
            "PATH",
            jdk + ":" + System.getenv("PATH"));
  }

  private Launch.Run hello() throws Exception {
    return new Launch(tree).script("example", environment, "Hello", "soft:new");
  }

  private String java() {
    return "java -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp %1$s-1.jar:%2$s/lib/* "
            .formatted(
                tree.root().resolve("examples/target/verbena-examples"),
                tree.root().resolve("examples/target"))
        + "dev.verbena.examples.Hello soft:new\n";
  }

  @Test
  void aCopiedTreeIsNotBuilt() throws Exception {
    FileTime later = FileTime.from(Instant.now().plus(Duration.ofHours(1)));
    try (Stream<Path> files = Files.walk(tree.root().resolve("examples/src"))) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, later);
      }
    }
    Launch.Run run = hello();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(java());
  }

  @Test
  void aSourceThatHasChangedIsBuiltWhateverItsTime() throws Exception {
    Files.writeString(source, "void main() { }");
    Files.setLastModifiedTime(source, FileTime.from(Instant.EPOCH));
    Launch.Run run = hello();
    assertThat(run.err()).startsWith("verbena: building ").contains("mvn -q -B -pl examples -am ");
    assertThat(tree.root().resolve("examples/target/classes")).as("older classes").doesNotExist();
    assertThat(run.out()).isEqualTo(java());
  }
}
