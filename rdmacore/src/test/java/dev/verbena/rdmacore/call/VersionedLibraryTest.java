package dev.verbena.rdmacore.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.rdmacore.layout.CCompiler;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VersionedLibraryTest {
  /** {@code answer} is there twice, as functions of libibverbs are whose structs have changed. */
  private static final String SOURCE =
      """
      int answer_of_old(void) { return 1; }
      int answer_of_new(void) { return 2; }
      __asm__(".symver answer_of_old, answer@OLD_1.0");
      __asm__(".symver answer_of_new, answer@@NEW_2.0");
      """;

  private static final String VERSIONS =
      """
      OLD_1.0 { global: answer; local: *; };
      NEW_2.0 { global: answer; } OLD_1.0;
      """;

  @TempDir private Path folder;

  private VersionedLibrary library;

  @BeforeEach
  void build() throws IOException {
    assumeTrue(FunctionNative.ofLibc("dlvsym").exists(), "this C library has no versions");
    CCompiler.assumeItFinds("stddef.h", "libc6-dev");
    Path file = folder.resolve("libanswer.so");
    Path versions = Files.writeString(folder.resolve("versions"), VERSIONS);
    assertThat(CCompiler.library(SOURCE, file, versions))
        .isEqualTo(new CCompiler.Verdict(true, ""));
    library = VersionedLibrary.load(file.toString());
  }

  @Test
  void theVersionDecidesWhichOfTwoFunctionsIsCalled() {
    assertThat(library.function("answer", "OLD_1.0").call("test").value()).isEqualTo(1);
    assertThat(library.function("answer", "NEW_2.0").call("test").value()).isEqualTo(2);
  }

  @Test
  void aReleaseWithoutTheVersionRefusesTheCallByNameAndVersion() {
    FunctionNative later = library.function("answer", "NEWER_3.0");
    assertThat(later.exists()).isFalse();
    assertThatThrownBy(() -> later.call("ask"))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP))
        .hasMessageContaining("ask")
        .hasMessageContaining("has no answer@NEWER_3.0");
    assertThat(library.function("question", "OLD_1.0").exists()).isFalse();
  }

  @Test
  void theInstalledLibibverbsHasAllFunctionsInTheirVersions() throws ReflectiveOperationException {
    assumeTrue(Libibverbs.isAvailable(), "libibverbs is not installed here");
    int functions = 0;
    for (Field field : Functions.class.getFields()) {
      FunctionNative function = (FunctionNative) field.get(null);
      assertThat(function.exists()).as(field.getName()).isTrue();
      functions++;
    }
    assertThat(functions).isPositive();
  }
}
