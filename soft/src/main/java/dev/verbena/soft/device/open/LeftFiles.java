package dev.verbena.soft.device.open;

import dev.verbena.soft.link.UserFolder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
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
        if (files instanceof SecureDirectoryStream<Path> secure) {
          secure.forEach(file -> removeIfLeft(secure, UserFolder.nameOf(file)));
        }
      } catch (IOException | DirectoryIteratorException e) {
        LOG.log(Level.DEBUG, folder + " cannot be read", e);
      }
    }
  }

  /** Removes the file of this name if its process is known to have ended. */
  static void removeIfLeft(SecureDirectoryStream<Path> folder, Path name) {
    if (CountersFile.maker(name) == CountersFile.Maker.DEAD) {
      try {
        folder.deleteFile(name);
      } catch (IOException e) {
        LOG.log(Level.DEBUG, name + " is left", e);
      }
    }
  }
}
