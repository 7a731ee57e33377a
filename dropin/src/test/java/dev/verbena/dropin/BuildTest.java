package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script that compiles the library, where it cannot. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the library is built on Linux only")
final class BuildTest {
  @TempDir Path out;

  private record Run(int exitCode, String text) {}

  @BeforeEach
  void aLibraryOfAnEarlierBuild() throws IOException {
    Files.createFile(out.resolve("libibverbs.so.1"));
  }

  @Test
  void withoutACompilerOneLineNamesThePackagesAndNoOldLibraryIsLeft() throws Exception {
    Run run = build("no-such-compiler", "optional");

    assertThat(run.exitCode()).isZero();
    assertThat(run.text().lines()).hasSize(1);
    assertThat(run.text())
        .contains("no C compiler 'no-such-compiler'", "gcc", "libc6-dev", "libibverbs-dev");
    assertThat(out.resolve("skipped")).hasContent(run.text());
    assertThat(out.resolve("libibverbs.so.1")).doesNotExist();
  }

  @Test
  void withoutTheHeadersOfVerbsTheLineSaysSo() throws Exception {
    Run run = build("false", "optional");

    assertThat(run.exitCode()).isZero();
    assertThat(run.text().lines()).hasSize(1);
    assertThat(run.text()).contains("infiniband/verbs.h", "libibverbs-dev");
  }

  @Test
  void whereTheLibraryIsRequiredTheBuildFails() throws Exception {
    Run run = build("no-such-compiler", "required");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).contains("no C compiler");
    assertThat(out.resolve("skipped")).doesNotExist();
  }

  private Run build(String compiler, String need) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                "src/main/c/build", out.toString(), System.getProperty("java.class.path"), need)
            .redirectErrorStream(true);
    builder.environment().put("CC", compiler);
    builder.environment().put("TOOLCHAIN_JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    String text = process.inputReader().readAllAsString();
    return new Run(process.waitFor(), text);
  }
}
