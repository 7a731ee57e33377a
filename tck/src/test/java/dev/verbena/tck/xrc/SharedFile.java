package dev.verbena.tck.xrc;

import dev.verbena.verbs.XrcdInitAttr;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that names an XRC domain, for one test.
 *
 * @param path where it is
 */
record SharedFile(Path path) implements AutoCloseable {

  /** An empty file. */
  static SharedFile create() {
    try {
      return new SharedFile(Files.createTempFile("xrcd", null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Attributes that open its domain, and create it if necessary. */
  XrcdInitAttr attr() {
    return XrcdInitAttr.of(path);
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
