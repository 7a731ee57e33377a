package dev.verbena.dropin;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The libibverbs.so.1 that this build made. */
final class NativeLibrary {
  private static final Path FOLDER = Path.of(System.getProperty("verbena.native", "target/native"));

  private NativeLibrary() {}

  /**
   * The folder for LD_LIBRARY_PATH; the test is skipped if the build could not make the library.
   */
  static Path folder() throws IOException {
    Path skipped = FOLDER.resolve("skipped");
    assumeTrue(
        Files.notExists(skipped),
        () -> "the build says in " + skipped + " why there is no library");
    assumeTrue(System.getProperty("os.name").equals("Linux"), "the library is built on Linux only");
    return FOLDER.toRealPath();
  }

  /** The environment that {@code verbena run} sets for a program. */
  static Map<String, String> environment(String device) throws IOException {
    Path jdk = Path.of(System.getProperty("java.home"));
    Path files = folder().resolve("libverbena_files.so");
    return Map.of(
        "LD_LIBRARY_PATH",
        folder().toString(),
        "LD_PRELOAD",
        jdk.resolve("lib/libjsig.so") + ":" + files,
        "_JAVA_SR_SIGNUM",
        "63",
        "VERBENA_LIBJVM",
        jdk.resolve("lib/server/libjvm.so").toString(),
        "VERBENA_CLASSPATH",
        System.getProperty("java.class.path"),
        "VERBENA_DEVICE",
        device);
  }
}
