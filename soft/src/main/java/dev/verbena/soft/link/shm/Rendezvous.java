package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Gids;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the processes of one user find each other's inboxes, by a folder in /dev/shm that no other
 * user can read. For each address it has a symbolic link to the descriptor of the inbox's memory in
 * the process that created it; the link is dangling once that process has ended. For each multicast
 * group it has a folder with an empty file for each member.
 */
final class Rendezvous {
  private static final String FUNCTION = "openDevice";
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");
  private static final int TRIES = 100;
  private static final long PATIENCE_NANOS = 5_000_000_000L;
  private static final long PAUSE_NANOS = 200_000;

  private final Path folder;
  private final Path groups;

  private Rendezvous(Path folder) {
    this.folder = folder;
    groups = folder.resolve("groups");
  }

  /**
   * The folder of this user.
   *
   * @throws VerbsException EACCES if the folder is not available, or is not safe
   */
  static Rendezvous ofUser() {
    try {
      Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      return at(Path.of("/dev/shm/verbena-" + user), user);
    } catch (IOException e) {
      throw new VerbsException(FUNCTION, Errno.EACCES, "link=shm needs /proc: " + e, e);
    }
  }

  /**
   * Uses another folder.
   *
   * @param user who must own it
   */
  static Rendezvous at(Path folder, Object user) {
    try {
      makeFolder(folder);
      boolean isSafe =
          Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
              && Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(user)
              && Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS)
                  .equals(OWNER_ONLY);
      if (!isSafe) {
        throw new VerbsException(
            FUNCTION,
            Errno.EACCES,
            "link=shm needs the folder "
                + folder
                + ", of this user and of mode 0700, and finds something else; remove it");
      }
      Rendezvous made = new Rendezvous(folder);
      makeFolder(made.groups);
      return made;
    } catch (IOException e) {
      throw new VerbsException(
          FUNCTION, Errno.EACCES, "link=shm needs the folder " + folder + ": " + e, e);
    }
  }

  private static void makeFolder(Path path) throws IOException {
    try {
      Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    } catch (FileAlreadyExistsException e) {
      // Another device has created it, or the following check finds out who has.
    }
  }

  /** The name by which to open an inbox. */
  String name(Address address) {
    return folder.resolve(address.toString()).toString();
  }

  /**
   * Publishes an inbox, unless the address has one in use.
   *
   * @param fd descriptor of its memory
   * @return false if the address is taken
   */
  boolean publish(Address address, int fd) throws IOException {
    Path target = target(fd);
    return alone(
        () -> {
          Path name = Path.of(name(address));
          if (Files.exists(name, LinkOption.NOFOLLOW_LINKS)) {
            if (!leadsTo(name, target) && isInUse(address)) {
              return false;
            }
            Files.deleteIfExists(name);
          }
          Files.createSymbolicLink(name, target);
          return true;
        });
  }

  /** Removes an inbox that is still published. */
  void withdraw(Address address, int fd) throws IOException {
    Path target = target(fd);
    var _ =
        alone(
            () -> {
              Path name = Path.of(name(address));
              return leadsTo(name, target) && Files.deleteIfExists(name);
            });
  }

  /**
   * Before an inbox is published, such a name was left by a process with the same number, which is
   * possible with containers.
   */
  private static boolean leadsTo(Path name, Path target) throws IOException {
    return Files.isSymbolicLink(name) && Files.readSymbolicLink(name).equals(target);
  }

  private boolean isInUse(Address address) {
    try (PeerInbox known = PeerInbox.open(this, address)) {
      return known != null && known.isInUse();
    }
  }

  private static Path target(int fd) {
    return Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/" + fd);
  }

  private interface Change {
    boolean make() throws IOException;
  }

  /**
   * Runs while no other process changes names. Within this process a file lock does not exclude.
   */
  private boolean alone(Change change) throws IOException {
    synchronized (Rendezvous.class) {
      try (FileChannel channel =
              FileChannel.open(
                  folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = lock(channel)) {
        return lock.isValid() && change.make();
      }
    }
  }

  /** A stopped process may hold it, which must not stop all others. */
  private FileLock lock(FileChannel channel) throws IOException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < PATIENCE_NANOS) {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return lock;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new IOException("another process keeps " + folder.resolve("lock") + " locked");
  }

  /** Adds a member to a group. */
  void join(Address group, Address member) throws IOException {
    Path members = groups.resolve(group.toString());
    for (int i = 0; ; i++) {
      makeFolder(members);
      try {
        Files.createFile(members.resolve(member.toString()));
        return;
      } catch (FileAlreadyExistsException e) {
        return;
      } catch (NoSuchFileException e) {
        // The last member to leave has just removed the folder.
        if (i == TRIES) {
          throw e;
        }
      }
    }
  }

  /** Removes a member, and with the last one the folder. */
  void leave(Address group, Address member) throws IOException {
    Path members = groups.resolve(group.toString());
    Files.deleteIfExists(members.resolve(member.toString()));
    try {
      Files.deleteIfExists(members);
    } catch (DirectoryNotEmptyException e) {
      // Other members are left.
    }
  }

  /** The present members of a group. */
  List<Address> members(Address group) {
    List<Address> found = new ArrayList<>();
    try (DirectoryStream<Path> members =
        Files.newDirectoryStream(groups.resolve(group.toString()))) {
      for (Path member : members) {
        found.add(Gids.address(Gid.parse(String.valueOf(member.getFileName()))));
      }
    } catch (IOException | DirectoryIteratorException | VerbsException e) {
      // There is no member, the last one is leaving, or something else has this name.
      return found;
    }
    return found;
  }
}
