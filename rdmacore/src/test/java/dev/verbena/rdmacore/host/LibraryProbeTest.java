package dev.verbena.rdmacore.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each obstacle has its own cure. */
final class LibraryProbeTest {
  private static final String NATIVE_ACCESS = "--enable-native-access";

  @BeforeAll
  static void assumeThatLibrariesAreUsedHere() {
    assumeTrue(
        LibraryProbe.obstacle("libx.so.1", "libx1", () -> "").isEmpty(),
        "no library is used on this system");
  }

  @Test
  void nativeAccessIsNeededWhereItIsDenied() {
    assertThat(obstacle("libx.so.1", new IllegalCallerException("denied")))
        .contains("libx.so.1 cannot be called", "denied", NATIVE_ACCESS)
        .doesNotContain("Debian");
  }

  @Test
  void aLibraryThatIsMissingIsToBeInstalled() {
    assertThat(obstacle("libx.so.1", new IllegalArgumentException("Cannot open library")))
        .contains("install it (Debian: libx1)")
        .doesNotContain(NATIVE_ACCESS);
  }

  @Test
  void aFileThatTheProgramNamesIsNotReplacedByAPackage() {
    assertThat(obstacle("/opt/x.so", new IllegalArgumentException("Cannot open library")))
        .contains("/opt/x.so", "is it a library for this computer")
        .doesNotContain("Debian", NATIVE_ACCESS);
  }

  private static String obstacle(String library, RuntimeException thrown) {
    return LibraryProbe.obstacle(
        library,
        "libx1",
        () -> {
          throw new ExceptionInInitializerError(thrown);
        });
  }
}
