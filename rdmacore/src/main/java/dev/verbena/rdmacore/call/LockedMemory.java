package dev.verbena.rdmacore.call;

import dev.verbena.verbs.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much memory this process may lock (RLIMIT_MEMLOCK). Registered memory and the queues of
 * adapters are locked, and the kernel says only ENOMEM if the limit does not suffice, or EPERM if
 * it is 0. It counts what this process has locked, and nothing if the process has CAP_IPC_LOCK
 * outside of any user namespace, as root of a rootless container has not.
 */
final class LockedMemory {
  private static final Path LIMITS = Path.of("/proc/self/limits");

  private static final Pattern LIMIT =
      Pattern.compile("Max locked memory\\s+(\\S+)\\s+(\\S+)\\s+bytes\\s*");

  /** What to look at after an error, to follow a message; nothing if the limit is not its cause. */
  static String advice(int errno) {
    if (errno != Errno.ENOMEM && errno != Errno.EPERM) {
      return "";
    }
    List<String> limits;
    try {
      limits = Files.readAllLines(LIMITS);
    } catch (IOException | UncheckedIOException e) {
      // Not Linux, or a container without /proc.
      limits = List.of();
    }
    return advice(errno, limits);
  }

  /**
   * The same.
   *
   * @param limits the lines of /proc/self/limits
   */
  static String advice(int errno, List<String> limits) {
    boolean forbidden = errno == Errno.EPERM;
    for (String line : limits) {
      Matcher limit = LIMIT.matcher(line);
      if (limit.matches()) {
        if (forbidden && !limit.group(1).equals("0")) {
          return "";
        }
        return limit.group(1).equals("unlimited")
            ? "; ulimit -l (RLIMIT_MEMLOCK) is unlimited: memory, or what the device has room for,"
                + " is short"
            : "; if that is because of the limit of locked memory, which for this process is "
                + limit.group(1)
                + " bytes: raise ulimit -l (RLIMIT_MEMLOCK), or give it CAP_IPC_LOCK";
      }
    }
    return forbidden ? "" : "; does ulimit -l (RLIMIT_MEMLOCK) allow to lock as much?";
  }

  private LockedMemory() {}
}
