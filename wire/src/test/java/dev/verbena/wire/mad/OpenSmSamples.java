package dev.verbena.wire.mad;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;

/** Datagrams of a real subnet administrator, from mads/opensm.txt among the resources. */
final class OpenSmSamples {
  private OpenSmSamples() {}

  static MemorySegment mad(String name) {
    try (InputStream in = OpenSmSamples.class.getResourceAsStream("/mads/opensm.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      String hex =
          text.lines()
              .filter(line -> line.startsWith(name + " "))
              .findFirst()
              .orElseThrow()
              .substring(name.length() + 1);
      return MemorySegment.ofArray(HexFormat.of().parseHex(hex));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
