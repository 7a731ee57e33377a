package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.UserFolder;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lets the processes of one user find each other's inboxes, by a folder in /dev/shm that no other
 * user can read. For each address it has a symbolic link to the descriptor of the inbox's memory in
 * the process that created it; the link is dangling once that process has ended. For each multicast
 * group it has a folder with an empty file for each member.
 */
final class Rendezvous {
  private static final String FUNCTION = "openDevice";
  private static final System.Logger LOG = System.getLogger("dev.verbena.soft.link");
  private static final Pattern DESCRIPTOR = Pattern.compile("/proc/\\d+/fd/\\d+");

  /** What the system calls memory that {@link SharedMemoryNative#create} has made. */
  private static final String MEMORY = "/memfd:" + SharedMemoryNative.NAME;

  private static final long PATIENCE_NANOS = 5_000_000_000L;
  private static final long PAUSE_NANOS = 200_000;

  /** Excludes threads of this process, which a file lock does not. */
  private static final ReentrantLock OF_PROCESS = new ReentrantLock();

  private final Path folder;
  private final Path groups;
  private final String network;

  private Rendezvous(Path folder, String network) {
    this.folder = folder;
    this.network = network;
    groups = folder.resolve("groups");
  }

  /**
   * For the devices of this user that use nothing but inboxes.
   *
   * @throws VerbsException EACCES if the folder is not available, or is not safe
   */
  static Rendezvous ofUser() {
    return of("");
  }

  /**
   * For the devices of this user that share a network, so that an address is that of one device. In
   * another network namespace the same address may be somebody else's.
   *
   * @throws VerbsException EACCES if the folder is not available, or is not safe
   */
  static Rendezvous ofNetwork() {
    try {
      String network = Files.readSymbolicLink(Path.of("/proc/thread-self/ns/net")).toString();
      return of("@" + network.replaceAll("\\D", ""));
    } catch (IOException e) {
      throw new VerbsException(
          FUNCTION, Errno.EACCES, "the network of this process is not known: " + e, e);
    }
  }

  private static Rendezvous of(String network) {
    try {
      Rendezvous made = new Rendezvous(UserFolder.get(), network);
      UserFolder.make(made.groups);
      return made;
    } catch (IOException e) {
      throw new VerbsException(
          FUNCTION, Errno.EACCES, "shared memory needs a folder in /dev/shm: " + e, e);
    }
  }

  /**
   * The descriptor of an inbox, in a folder in which all descriptors of its owner can be opened by
   * their numbers as long as that process lives.
   *
   * @return null if there is no inbox
   */
  @Nullable Path descriptor(Address address) {
    try {
      Path found = Files.readSymbolicLink(Path.of(name(address)));
      // Nothing else is opened, because that may have an effect: in another container a process
      // with
      // the same number may have a device of the kernel there.
      return DESCRIPTOR.matcher(found.toString()).matches()
              && Files.readSymbolicLink(found).toString().startsWith(MEMORY)
          ? found
          : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** The name by which to open an inbox. */
  String name(Address address) {
    return folder.resolve(address + network).toString();
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

  /** Whether a living process has an inbox at an address. */
  boolean isInUse(Address address) {
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

  /** Runs while nobody else changes names. */
  private boolean alone(Change change) throws IOException {
    OF_PROCESS.lock();
    try (FileChannel channel = lockFile();
        FileLock lock = lock(channel)) {
      return lock.isValid() && change.make();
    } finally {
      OF_PROCESS.unlock();
    }
  }

  /** Like {@link #alone}, but does nothing if somebody else is changing names; for senders. */
  private boolean aloneAtOnce(Change change) throws IOException {
    if (!OF_PROCESS.tryLock()) {
      return false;
    }
    try (FileChannel channel = lockFile();
        FileLock lock = channel.tryLock()) {
      return lock != null && change.make();
    } finally {
      OF_PROCESS.unlock();
    }
  }

  private FileChannel lockFile() throws IOException {
    return FileChannel.open(
        folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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

  /** Adds a member, whose inbox is published, to a group. */
  void join(Address group, Address member) throws IOException {
    Path members = groups.resolve(group.toString());
    var _ =
        alone(
            () -> {
              UserFolder.make(members);
              Path file = members.resolve(member.toString());
              if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                Files.createFile(file);
              }
              return true;
            });
  }

  /** Removes a member, and with the last one the folder. */
  void leave(Address group, Address member) throws IOException {
    var _ = alone(() -> remove(group, member));
  }

  /**
   * Removes a member whose process has ended without leaving.
   *
   * @return false if it has an inbox in use, or names are being changed
   */
  boolean forget(Address group, Address member) {
    try {
      return aloneAtOnce(() -> !isInUse(member) && remove(group, member));
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "ended member " + member + " of " + group + " cannot be removed", e);
      return false;
    }
  }

  private boolean remove(Address group, Address member) throws IOException {
    Path members = groups.resolve(group.toString());
    Files.deleteIfExists(members.resolve(member.toString()));
    try {
      Files.deleteIfExists(members);
    } catch (DirectoryNotEmptyException e) {
      // Other members are left.
    }
    return true;
  }

  /** The present members of a group. */
  List<Address> members(Address group) {
    List<Address> found = new ArrayList<>();
    try (DirectoryStream<Path> members =
        Files.newDirectoryStream(groups.resolve(group.toString()))) {
      for (Path member : members) {
        add(String.valueOf(member.getFileName()), found);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // There is no member, or the last one is leaving.
      return found;
    }
    return found;
  }

  private static void add(String name, List<Address> members) {
    try {
      members.add(Gids.address(Gid.parse(name)));
    } catch (VerbsException e) {
      LOG.log(Level.DEBUG, "a member of a group is called " + name, e);
    }
  }
}
