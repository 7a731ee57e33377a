package dev.verbena.dropin;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The libibverbs.so.1 of rdma-core, if this computer has it. */
final class GenuineLibrary {
  private static final String NAME = "libibverbs.so.1";

  /** Its file; the test is skipped if there is none. */
  static Path file() {
    Optional<Path> file =
        Stream.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64")
            .map(folder -> Path.of(folder, NAME))
            .filter(Files::exists)
            .findFirst();
    assumeTrue(file.isPresent(), "rdma-core's " + NAME + " is not installed here");
    return file.orElseThrow();
  }

  private GenuineLibrary() {}
}
