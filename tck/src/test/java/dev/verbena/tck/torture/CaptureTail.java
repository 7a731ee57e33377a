package dev.verbena.tck.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The temporary file to which a device copies its packets. Only the latest stay: the file system
 * gets back what is before them, and from then on has zeros in its place. The device goes on
 * writing where it was, so for a reader no packet that is still there changes its place. Used by
 * one thread.
 */
final class CaptureTail implements AutoCloseable {
  /** Of a device that is in full use, some seconds. */
  private static final long MOST_BYTES = 256 << 20;

  private final Path path;
  private final FileChannel file;
  private final long most;
  private long begin;

  /** Makes an empty file. */
  CaptureTail() {
    this(MOST_BYTES);
  }

  /**
   * Makes an empty file.
   *
   * @param most bytes to keep
   */
  CaptureTail(long most) {
    this.most = most;
    try {
      path = Files.createTempFile("torture", ".pcapng");
      file = FileChannel.open(path, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Also if somebody interrupts the run.
    path.toFile().deleteOnExit();
  }

  /** What the device is to write. */
  Path path() {
    return path;
  }

  /** Gives back what there is, if that is too much. */
  void cut() {
    try {
      long end = file.size();
      if (end - begin > most) {
        file.truncate(0);
        begin = end;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
