package dev.verbena.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Parses any text as a path; for bin/fuzz. */
public final class PathTextFuzz {
  private static final EndPort PORT = Ports.infiniBand();

  /** What can be parsed can be written and parsed again; anything else is EINVAL. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, UTF_8);
    try {
      check(IbPath.fromSpecString(text));
    } catch (VerbsException e) {
      requireEinval(e);
    }
    // A text that names an end port opens devices, which other tests cover.
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
