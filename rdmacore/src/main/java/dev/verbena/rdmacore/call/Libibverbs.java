package dev.verbena.rdmacore.call;

import dev.verbena.rdmacore.host.LibraryProbe;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether there is a libibverbs to call, and devices to look for. The library is loaded when it is
 * first needed, and not at all where the kernel shows no device.
 */
public final class Libibverbs {
  /** System property with the path of another file than the installed one. */
  static final String PROPERTY = "dev.verbena.rdmacore.library";

  private static final Logger LOG = System.getLogger("dev.verbena.rdmacore.device");

  /** Where the kernel has a folder for each device. */
  public static final Path DEVICES = Path.of("/sys/class/infiniband");

  private static final Path DEVICE_FILES = Path.of("/dev/infiniband");

  /** The file to load. */
  public static String file() {
    return System.getProperty(PROPERTY, "libibverbs.so.1");
  }

  /** Whether the program names the library, whose devices the kernel need not know. */
  public static boolean isNamed() {
    return System.getProperty(PROPERTY) != null;
  }

  /** Whether to ask the library for devices: the kernel has some, or the program names it. */
  public static boolean mayHaveDevices() {
    return isNamed() || !kernelDevices().isEmpty();
  }

  /** Whether the library can be called. */
  public static boolean isAvailable() {
    return Probe.OBSTACLE.isEmpty();
  }

  /**
   * Does nothing if the library can be called.
   *
   * @throws VerbsException ENOSYS otherwise, with what is missing
   */
  public static void require(String verb) {
    if (!isAvailable()) {
      throw new VerbsException(verb, Errno.ENOSYS, Probe.OBSTACLE);
    }
  }

  /** The devices that the kernel knows, by name. */
  public static List<String> kernelDevices() {
    if (!Files.isDirectory(DEVICES)) {
      return List.of();
    }
    try (Stream<Path> names = Files.list(DEVICES)) {
      return names.map(path -> path.getFileName().toString()).sorted().toList();
    } catch (IOException | UncheckedIOException e) {
      LOG.log(Level.WARNING, DEVICES + " cannot be read: no device of libibverbs is found", e);
      return List.of();
    }
  }

  /** Why there is no device of this name, in a sentence for its user. */
  public static String whyMissing(List<String> present) {
    if (!present.isEmpty()) {
      return "libibverbs has " + String.join(", ", present);
    }
    if (mayHaveDevices() && !isAvailable()) {
      return Probe.OBSTACLE;
    }
    List<String> known = kernelDevices();
    if (known.isEmpty() && !isNamed()) {
      return "the kernel has no RDMA device: " + DEVICES + " is empty or missing";
    }
    return "libibverbs finds none, the kernel has "
        + known
        + (Files.isDirectory(DEVICE_FILES)
            ? "; is its driver installed (Debian: ibverbs-providers)?"
            : "; " + DEVICE_FILES + " is missing: load the kernel module ib_uverbs");
  }

  /** What to look at if a device cannot be opened. */
  public static String advice(String file) {
    Path path = DEVICE_FILES.resolve(file);
    if (isNamed()) {
      return "";
    }
    if (!Files.exists(path)) {
      return "; there is no " + path + ": load the kernel module ib_uverbs";
    }
    return Files.isReadable(path) && Files.isWritable(path)
        ? ""
        : "; " + path + " may not be read and written by this user";
  }

  /** The check, made once, when first needed. */
  private static final class Probe {
    static final String OBSTACLE =
        LibraryProbe.obstacle(file(), "libibverbs1", Functions::checkPresence);

    static {
      if (!OBSTACLE.isEmpty()) {
        // Where the kernel has devices, their absence from a list needs an explanation.
        LOG.log(mayHaveDevices() ? Level.WARNING : Level.DEBUG, OBSTACLE);
      }
    }
  }

  private Libibverbs() {}
}
