package dev.verbena.proofs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Replays the inputs that a fuzzer found interesting, in each build; bin/fuzz adds to them. */
public final class FuzzCorpus {
  /**
   * Feeds a target with each input of its corpus, src/test/fuzz/NAME of the module under test.
   *
   * @param name simple name of the class that bin/fuzz runs
   * @param target its fuzzerTestOneInput
   */
  public static void replay(String name, Consumer<byte[]> target) {
    for (Path input : inputs(Path.of("src", "test", "fuzz", name))) {
      try {
        target.accept(Files.readAllBytes(input));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(input + ": " + e, e);
      }
    }
  }

  private static List<Path> inputs(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> inputs = files.filter(Files::isRegularFile).sorted().toList();
      if (inputs.isEmpty()) {
        throw new AssertionError("no inputs in " + folder);
      }
      return inputs;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FuzzCorpus() {}
}
