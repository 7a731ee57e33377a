package dev.verbena.rdmacore.host;

import java.util.Set;
import java.util.function.Supplier;

/** Finds out whether a C library can be called. */
public final class LibraryProbe {
  private static final Set<String> ARCHITECTURES = Set.of("amd64", "aarch64");

  /**
   * Why a library cannot be called, in a sentence with the cure; empty if it can.
   *
   * @param library its file
   * @param debian the package of Debian that has it
   * @param firstCall makes the first call, which fails if native access is denied, or the library
   *     or a function is missing; returns why it is of no use nevertheless, or an empty text
   */
  public static String obstacle(String library, String debian, Supplier<String> firstCall) {
    String system = System.getProperty("os.name");
    String architecture = System.getProperty("os.arch");
    if (!system.equals("Linux") || !ARCHITECTURES.contains(architecture)) {
      return library
          + " is used on Linux on amd64 and aarch64, this is "
          + system
          + " on "
          + architecture;
    }
    try {
      return firstCall.get();
    } catch (RuntimeException | LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return library + " cannot be called (" + cause + "); " + cure(cause, library, debian);
    }
  }

  private static String cure(Throwable cause, String library, String debian) {
    if (cause instanceof IllegalCallerException) {
      return "run with --enable-native-access=ALL-UNNAMED or =dev.verbena.rdmacore";
    }
    return library.contains("/")
        ? "is it a library for this computer, and are those that it needs installed?"
        : "install it (Debian: " + debian + ")";
  }

  private LibraryProbe() {}
}
