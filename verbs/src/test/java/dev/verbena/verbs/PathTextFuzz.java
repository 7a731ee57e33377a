package dev.verbena.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Any text as that of a path; for bin/fuzz. */
public final class PathTextFuzz {
  private static final EndPort PORT = Ports.infiniBand();

  /** What is read can be written and read again; anything else is EINVAL. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, UTF_8);
    try {
      check(IbPath.fromSpecString(text));
    } catch (VerbsException e) {
      requireEinval(e);
    }
    // What names an end port opens devices, which is for others to test.
    if (text.indexOf('%') < 0) {
      try {
        check(IbPath.fromString(text, PORT));
      } catch (VerbsException e) {
        requireEinval(e);
      }
    }
  }

  private static void check(IbPath path) {
    IbPath again = IbPath.fromSpecString(path.toString());
    if (!again.withEndPort(PORT).equals(path.withEndPort(PORT))) {
      throw new AssertionError(path + " was read as " + again);
    }
  }

  static void requireEinval(VerbsException e) {
    if (e.errno() != Errno.EINVAL) {
      throw new AssertionError(e.toString(), e);
    }
  }

  private PathTextFuzz() {}
}
