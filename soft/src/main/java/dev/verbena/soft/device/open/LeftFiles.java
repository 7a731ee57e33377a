package dev.verbena.soft.device.open;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The files of {@link CountersFile} whose processes ended without closing their devices: killed
 * ones, and C programs, few of which close everything.
 */
final class LeftFiles {
  private static final System.Logger LOG = System.getLogger("dev.verbena.soft.device");
  private static final AtomicBoolean REMOVED = new AtomicBoolean();

  private LeftFiles() {}

  /** Removes them, once in the life of this process. */
  static void removeOnce(Path folder) {
    if (REMOVED.compareAndSet(false, true)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
        files.forEach(LeftFiles::removeIfLeft);
      } catch (IOException | DirectoryIteratorException e) {
        LOG.log(Level.DEBUG, folder + " cannot be read", e);
      }
    }
  }

  /** Removes the file if its process is known to have ended. */
  static void removeIfLeft(Path file) {
    if (CountersFile.maker(file) == CountersFile.Maker.DEAD) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        LOG.log(Level.DEBUG, file + " is left", e);
      }
    }
  }
}
