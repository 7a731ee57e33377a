package dev.verbena.rdmacore.layout;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The computer's C compiler, asked only whether it accepts a source. */
public final class CCompiler {
  private CCompiler() {}

  /** What became of a source: the compiler's messages, empty if it had none. */
  public record Verdict(boolean accepted, String messages) {}

  /**
   * Skips the test that calls this, where there is no compiler or no such header.
   *
   * @param file as "infiniband/verbs.h"
   * @param debianPackage the package that has it
   */
  public static void assumeItFinds(String file, String debianPackage) {
    try {
      compile("");
    } catch (UncheckedIOException e) {
      abort("no C compiler: " + e.getMessage());
    }
    Verdict header =
        compile(
            """
            #if !__has_include(<%1$s>)
            #error "%1$s is missing"
            #endif
            """
                .formatted(file));
    assumeTrue(header.accepted(), () -> debianPackage + " is not installed: " + header.messages());
  }

  /** Compiles without writing anything. */
  public static Verdict compile(String source) {
    return run(source, "-fsyntax-only");
  }

  /**
   * Makes a shared library.
   *
   * @param file where it is written
   * @param versions a file with the versions of its symbols
   */
  public static Verdict library(String source, Path file, Path versions) {
    return run(
        source, "-shared", "-fPIC", "-Wl,--version-script=" + versions, "-o", file.toString());
  }

  private static Verdict run(String source, String... options) {
    try {
      List<String> words = new ArrayList<>(List.of("cc", "-std=gnu11", "-x", "c", "-"));
      words.addAll(List.of(options));
      ProcessBuilder command = new ProcessBuilder(words).redirectErrorStream(true);
      command.environment().put("LC_ALL", "C");
      Process cc = command.start();
      try (OutputStream in = cc.getOutputStream()) {
        in.write(source.getBytes(StandardCharsets.UTF_8));
      }
      String messages = new String(cc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Verdict(cc.waitFor() == 0, messages);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
