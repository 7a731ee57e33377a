package dev.verbena.soft.link;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folder in /dev/shm where the processes of one user leave things for each other, and which no
 * other user but root can read.
 */
public final class UserFolder {
  /** Where the folders of all users are; each user may make there what others do not remove. */
  public static final Path SHARED = Path.of("/dev/shm");

  private static final System.Logger LOG = System.getLogger("dev.verbena.soft.link");
  private static final String PREFIX = "verbena-";
  private static final Pattern NAME = Pattern.compile(PREFIX + "(-?\\d{1,10})");
  private static final int MOST_USERS = 4096;
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
    return get(SHARED.resolve(PREFIX + user), user);
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

  /**
   * A folder inside that of a user, held open: whatever its owner does with the names that lead to
   * it, it stays the same, and so what is opened by it is nobody else's.
   *
   * @param user its owner
   * @param files what is in it
   */
  public record Opened(String user, SecureDirectoryStream<Path> files) implements AutoCloseable {
    @Override
    public void close() {
      UserFolder.close(files);
    }
  }

  /**
   * Opens the folder of this name inside those of all users, where this process may: of its own
   * user, and for root of all others. Leaves out what its owner does not have for itself alone, and
   * of the entries that look like such folders all beyond the first {@value #MOST_USERS}.
   *
   * @param shared where the users' folders are
   */
  public static List<Opened> openAll(Path shared, String inside) {
    List<Opened> all = new ArrayList<>();
    try (DirectoryStream<Path> users = Files.newDirectoryStream(shared, PREFIX + "*")) {
      if (users instanceof SecureDirectoryStream<Path> secure) {
        int seen = 0;
        for (Path user : secure) {
          if (++seen > MOST_USERS) {
            break;
          }
          open(secure, nameOf(user), inside).ifPresent(all::add);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.log(Level.DEBUG, shared + " cannot be read", e);
    }
    return all;
  }

  private static Optional<Opened> open(
      SecureDirectoryStream<Path> shared, Path name, String inside) {
    Matcher user = NAME.matcher(name.toString());
    if (!user.matches()) {
      return Optional.empty();
    }
    try (SecureDirectoryStream<Path> folder = openFolder(shared, name)) {
      UserPrincipal owner =
          name.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user.group(1));
      PosixFileAttributes found = attributes(folder);
      if (!isOnlyFor(owner, found)) {
        return Optional.empty();
      }
      SecureDirectoryStream<Path> files = openFolder(folder, Path.of(inside));
      if (!isOnlyFor(owner, attributes(files))) {
        close(files);
        return Optional.empty();
      }
      return Optional.of(new Opened(found.owner().getName(), files));
    } catch (IOException e) {
      LOG.log(Level.DEBUG, name + " cannot be read", e);
      return Optional.empty();
    }
  }

  /**
   * Opens a folder, and nothing else: by its own entry, since to open a pipe in its place would
   * take for ever. A link is followed.
   */
  private static SecureDirectoryStream<Path> openFolder(
      SecureDirectoryStream<Path> around, Path name) throws IOException {
    return around.newDirectoryStream(name.resolve("."));
  }

  /** Of what is open, not of its name, behind which its owner may put something else meanwhile. */
  private static PosixFileAttributes attributes(SecureDirectoryStream<Path> folder)
      throws IOException {
    return folder.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
  }

  private static boolean isOnlyFor(UserPrincipal owner, PosixFileAttributes found) {
    return found.owner().equals(owner) && found.permissions().equals(OWNER_ONLY);
  }

  /** The name of a file that was found in a folder. */
  public static Path nameOf(Path found) {
    return Objects.requireNonNull(found.getFileName(), "found in a folder");
  }

  private static void close(SecureDirectoryStream<Path> files) {
    try {
      files.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a folder did not close", e);
    }
  }
}
