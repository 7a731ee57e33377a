package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the script that compiles the library, in cases where it cannot. */
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

  @ParameterizedTest
  @CsvSource({
    "uint8_t(\\s+active_speed), uint16_t$1, struct ibv_port_attr",
    "bad_pkey_cntr, bad_key_cntr, bad_pkey_cntr"
  })
  void withTheHeadersOfAReleaseThatDoesNotFitTheLineSaysInWhat(
      String member, String other, String difference) throws Exception {
    Path headers = headers(text -> text.replaceFirst(member, other));

    Run optional = build("cc", "optional", headers);
    Run required = build("cc", "required", headers);

    assertThat(optional.exitCode()).isZero();
    assertThat(optional.text().lines()).hasSize(1);
    assertThat(optional.text())
        .contains("rdma-core 44", headers.resolve("infiniband/verbs.h") + " differs", difference);
    assertThat(out.resolve("libibverbs.so.1")).doesNotExist();
    assertThat(required.exitCode()).isEqualTo(1);
    assertThat(required.text()).isEqualTo(optional.text());
  }

  @Test
  void theHeadersOfALaterReleaseThatOnlyAddsFit() throws Exception {
    Path headers =
        headers(
            text ->
                text.replaceFirst("(struct ibv_port_attr \\{[^}]*)}", "$1 uint32_t added;\n}")
                    .replaceFirst(
                        "(void \\(\\*wr_atomic_write\\)[^;]*;)", "$1 void (*wr_added)(void);"));

    Run run = build("cc", "required", headers);

    assertThat(run.text()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(out.resolve("libibverbs.so")).hasSameBinaryContentAs(out.resolve("libibverbs.so.1"));
    assertThat(Files.size(out.resolve("libibverbs.so.1"))).isPositive();
  }

  /** A folder with the installed infiniband/verbs.h, changed. */
  private Path headers(UnaryOperator<String> change) throws IOException {
    Path installed = Path.of("/usr/include/infiniband/verbs.h");
    assumeTrue(Files.exists(installed), "libibverbs-dev is not installed");
    NativeLibrary.folder();
    Path folder = Files.createDirectories(out.resolve("include/infiniband"));
    String before = Files.readString(installed);
    String after = change.apply(before);
    assertThat(after).isNotEqualTo(before);
    Files.writeString(folder.resolve("verbs.h"), after);
    return folder.getParent();
  }

  @Test
  void whereTheLibraryIsRequiredTheBuildFails() throws Exception {
    Run run = build("no-such-compiler", "required");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).contains("no C compiler");
    assertThat(out.resolve("skipped")).doesNotExist();
  }

  private Run build(String compiler, String need) throws Exception {
    return build(compiler, need, Path.of("/usr/include"));
  }

  private Run build(String compiler, String need, Path headers) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                "src/main/c/build", out.toString(), System.getProperty("java.class.path"), need)
            .redirectErrorStream(true);
    builder.environment().put("CC", compiler);
    builder.environment().put("C_INCLUDE_PATH", headers.toString());
    builder.environment().put("TOOLCHAIN_JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    String text = process.inputReader().readAllAsString();
    return new Run(process.waitFor(), text);
  }
}
