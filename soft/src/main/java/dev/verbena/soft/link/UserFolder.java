package dev.verbena.soft.link;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The folder in /dev/shm where the processes of one user leave things for each other, and which no
 * other user can read.
 */
public final class UserFolder {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private UserFolder() {}

  /**
   * The folder, which is made if it is missing.
   *
   * @throws IOException if it is not available, or not safe
   */
  public static Path get() throws IOException {
    Path self = Path.of("/proc/self");
    if (!Files.exists(self)) {
      throw new IOException("this system has no /proc");
    }
    Object user = Files.getAttribute(self, "unix:uid");
    return get(Path.of("/dev/shm/verbena-" + user), user);
  }

  /**
   * Uses another folder.
   *
   * @param user who must own it
   */
  static Path get(Path folder, Object user) throws IOException {
    make(folder);
    boolean isSafe =
        Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(user)
            && Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS).equals(OWNER_ONLY);
    if (!isSafe) {
      throw new IOException(
          folder + " must be a folder of this user and of mode 0700, and is not; remove it");
    }
    return folder;
  }

  /** Makes a folder inside, or the folder itself, unless it is there. */
  public static void make(Path path) throws IOException {
    try {
      Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    } catch (FileAlreadyExistsException e) {
      // Another process has made it, or a check finds out who has.
    }
  }
}
